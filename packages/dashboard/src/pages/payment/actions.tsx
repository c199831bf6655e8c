import { GapuraError, type Refunded, type StaffPayment } from '@gapura/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { ActButton } from '../../parts/act_button.tsx'
import { useAnnounce } from '../../parts/announcer.tsx'
import { useMay } from '../../parts/may.ts'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import type { ActionName } from './action_name.ts'
import { ConfirmDialog } from './confirm_dialog.tsx'
import { RefundDialog, type RefundOrder } from './refund_dialog.tsx'
import { RecordRefund } from './record_refund.tsx'
import { payeeOf } from './why.ts'

const SCOPES = {
  cancel: 'payments:write',
  expire: 'payments:write',
  capture: 'payments:capture',
  approve: 'payments:capture',
  deny: 'payments:capture',
} as const satisfies Record<ActionName, string>

/** The actions that the role allows; one that is not possible now shows why. */
export function Actions({ detail }: { detail: StaffPayment }) {
  const { say, word } = useSpeech()
  const acts = useActs(detail)
  const may = useMay()
  const { owner_id } = detail
  const mayRefund = may.actOn('payments:refund', owner_id)
  const actions = detail.actions.filter(({ name }) => may.actOn(SCOPES[name], owner_id))
  const why = (refusal: string | null) => refusal && word('error', refusal)
  const [open, setOpen] = useState<ActionName | 'refund' | undefined>()
  const close = (): void => setOpen(undefined)
  return (
    <section className="actions" aria-label={say('actions')}>
      <ActButton act={() => acts.refresh.mutate()} busy={acts.refresh.isPending} why={null}>
        {say('action_refresh')}
      </ActButton>
      {mayRefund && (
        <ActButton act={() => setOpen('refund')} why={why(detail.refund.refusal)}>
          {say('action_refund')}
        </ActButton>
      )}
      <RecordRefund detail={detail} />
      {actions.map(({ name, refusal }) => (
        <ActButton key={name} act={() => setOpen(name)} why={why(refusal)}>
          {word('action', name)}
        </ActButton>
      ))}
      {!mayRefund && actions.length === 0 && <p className="quiet">{say('role_reads')}</p>}
      {acts.refresh.isError && <Trouble error={acts.refresh.error} />}
      {open === 'refund' && (
        <RefundDialog
          detail={detail}
          close={close}
          error={acts.refund.error}
          busy={acts.refund.isPending}
          refund={(order) => acts.refund.mutate(order, { onSuccess: close })}
        />
      )}
      {open !== undefined && open !== 'refund' && (
        <ConfirmDialog
          name={open}
          detail={detail}
          close={close}
          error={acts.perform.error}
          busy={acts.perform.isPending}
          act={(reason) => acts.perform.mutate({ name: open, reason }, { onSuccess: close })}
        />
      )}
    </section>
  )
}

/** The actions, each of which shows its outcome on the page it was called from. */
function useActs({ payment }: StaffPayment) {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const announce = useAnnounce()
  const queries = useQueryClient()
  const { id } = payment
  const shown = async (text: string): Promise<void> => {
    announce(text)
    await queries.invalidateQueries({ queryKey: ['payment', id] })
    await queries.invalidateQueries({ queryKey: ['payments'] })
  }
  const { payments } = client.staff
  const refresh = useMutation({
    mutationFn: async () => await payments.refresh(id, {}),
    onSuccess: async ({ transaction_status }) =>
      await shown(say('done_refresh', { status: word('status', transaction_status) })),
  })
  const perform = useMutation({
    mutationFn: async ({ name, reason }: { name: ActionName; reason: string }) =>
      await payments[name](id, { reason }),
    onSuccess: async (_payment, { name }) => await shown(word('done', name)),
  })
  const refund = useMutation({
    mutationFn: async (order: RefundOrder) => await payments.refund(id, order).catch(heldOnly),
    onSuccess: async (refunded, { amount }) => {
      const values = { amount: rupiah(amount), payee: payeeOf(speech, payment) }
      await shown(say(refunded === 'held' ? 'done_refund_held' : 'done_refund', values))
    },
  })
  return { refresh, perform, refund }
}

/** A refund that needs approval is not a failure: the request was recorded. */
function heldOnly(error: unknown): Refunded | 'held' {
  if (error instanceof GapuraError && error.code === 'refund_held') return 'held'
  throw error
}
