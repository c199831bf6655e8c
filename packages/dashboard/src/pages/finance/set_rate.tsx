import type { FeeRate, FeeRateInput } from '@gapura/sdk'
import { useState } from 'react'
import { dayText, jakartaDay, percentText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import type { Fact } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { PAYMENT_METHODS } from '../../parts/payment_methods.ts'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { useSession } from '../../session.tsx'

type Method = FeeRateInput['payment_type']

interface Typed {
  payment_type: Method
  channel: string
  valid_from: string
  percent: string
  fixed_amount: string
  vat_percent: string
  borne_by: 'merchant' | 'payer'
}

const PERCENT = /^(?:100|\d{1,2})(?:\.\d{1,4})?$/
const RUPIAH = /^\d{1,12}$/

/** Staff write 2,9 and 4.000. */
const percentOf = (text: string): string => text.trim().replace(',', '.')
const rupiahOf = (text: string): string => text.replaceAll(/[^\d]/g, '') || '0'

/** The rate that holds on the day before this one is set, if there is one. */
const formerOf = (rates: readonly FeeRate[], { payment_type, channel, valid_from }: Typed) =>
  rates.find(
    (rate) =>
      rate.payment_type === payment_type &&
      (rate.channel ?? '') === channel.trim() &&
      rate.valid_from <= valid_from,
  )

/** The button and its form: the second step shows the former rate beside the new one. */
export function SetRate({ rates }: { rates: readonly FeeRate[] }) {
  const { say, word, language } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [typed, setTyped] = useState<Typed>()
  const setting = useAct({
    act: async (input: FeeRateInput) => await client.staff.fees.setRate(input),
    done: ({ payment_type }) => say('rate_set', { method: word('type', payment_type) }),
    changes: ['rates', 'overview', 'payment'],
  })
  if (!may.has('staff:act')) return null
  if (typed === undefined) {
    return (
      <button type="button" onClick={() => setTyped(emptyRate())}>
        {say('rate_set_button')}
      </button>
    )
  }
  const former = formerOf(rates, typed)
  const percent = percentOf(typed.percent)
  const vat = percentOf(typed.vat_percent)
  const fixed = rupiahOf(typed.fixed_amount)
  const shown = (part: string, amount: string): string =>
    `${percentText(language, part)} + ${rupiah(amount)}`
  const facts: Fact[] = [
    [say('column_method'), word('type', typed.payment_type)],
    [say('rate_channel'), typed.channel.trim()],
    [say('rate_from'), dayText(language, typed.valid_from)],
    [say('rate_former'), former ? shown(former.percent, former.fixed_amount) : say('rate_none')],
    [say('rate_new'), shown(percent, fixed)],
    [say('rate_vat'), percentText(language, vat)],
    [say('rate_borne_by'), word('bearer', typed.borne_by)],
  ]
  const act = (reason: string): void =>
    setting.mutate(
      {
        payment_type: typed.payment_type,
        valid_from: typed.valid_from,
        percent,
        fixed_amount: fixed,
        vat_percent: vat,
        borne_by: typed.borne_by,
        ...(typed.channel.trim() !== '' && { channel: typed.channel.trim().toLowerCase() }),
        reason,
      },
      { onSuccess: () => setTyped(undefined) },
    )
  return (
    <ReasonDialog
      title={say('rate_set_title')}
      confirm={say('rate_set_do')}
      ask={say('rate_reason')}
      ready={PERCENT.test(percent) && PERCENT.test(vat) && RUPIAH.test(fixed)}
      review={facts}
      effect={say('rate_effect')}
      error={setting.error}
      busy={setting.isPending}
      act={act}
      close={() => setTyped(undefined)}
    >
      <RateFields typed={typed} change={setTyped} />
    </ReasonDialog>
  )
}

const emptyRate = (): Typed => ({
  payment_type: 'bank_transfer',
  channel: '',
  valid_from: jakartaDay(),
  percent: '0',
  fixed_amount: '0',
  vat_percent: '11',
  borne_by: 'merchant',
})

interface RateFieldsProps {
  typed: Typed
  change: (typed: Typed) => void
}

function RateFields({ typed, change }: RateFieldsProps) {
  const { say, word } = useSpeech()
  const field = (name: keyof Typed, label: string, hint?: string) => (
    <label>
      {label}
      <input
        value={typed[name]}
        maxLength={40}
        inputMode={name === 'channel' ? 'text' : 'decimal'}
        required={name !== 'channel'}
        onChange={({ target }) => change({ ...typed, [name]: target.value })}
      />
      {hint !== undefined && <span className="small">{hint}</span>}
    </label>
  )
  return (
    <>
      <Select
        label={say('column_method')}
        value={typed.payment_type}
        options={PAYMENT_METHODS.map((one) => [one, word('type', one)] as const)}
        choose={(next) =>
          change({
            ...typed,
            payment_type: PAYMENT_METHODS.find((one) => one === next) ?? 'bank_transfer',
          })
        }
      />
      {field('channel', say('rate_channel'), say('rate_channel_hint'))}
      <label>
        {say('rate_from')}
        <input
          type="date"
          required
          value={typed.valid_from}
          onChange={({ target }) => change({ ...typed, valid_from: target.value || jakartaDay() })}
        />
      </label>
      {field('percent', say('rate_percent'))}
      {field('fixed_amount', say('rate_fixed'), say('rate_fixed_hint'))}
      {field('vat_percent', say('rate_vat'))}
      <Select
        label={say('rate_borne_by')}
        value={typed.borne_by}
        options={(['merchant', 'payer'] as const).map((one) => [one, word('bearer', one)] as const)}
        choose={(next) => change({ ...typed, borne_by: next === 'payer' ? 'payer' : 'merchant' })}
      />
    </>
  )
}
