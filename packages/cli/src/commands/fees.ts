// What the gateway is expected to charge.
import { PAYMENT_TYPES, type Gapura } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { table } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Staff = Gapura['staff']
type Rate = Awaited<ReturnType<Staff['listFeeRates']>>['rates'][number]

const COLUMNS = [
  { title: 'METHOD', of: ({ payment_type }: Rate) => payment_type },
  { title: 'BANK', of: ({ channel }: Rate) => channel ?? 'all' },
  { title: 'FROM', of: ({ valid_from }: Rate) => valid_from },
  { title: 'PERCENT', of: ({ percent }: Rate) => percent },
  { title: 'FIXED', of: ({ fixed_amount }: Rate) => fixed_amount },
  { title: 'VAT', of: ({ vat_percent }: Rate) => vat_percent },
  { title: 'BORNE BY', of: ({ borne_by }: Rate) => borne_by },
  { title: 'ORIGIN', of: ({ origin }: Rate) => origin },
]

const list: Command = {
  name: 'fees list',
  summary: 'Show the rate card: what the gateway is expected to charge.',
  flags: {},
  examples: ['gapura fees list'],
  run: async (call) => {
    const found = await withGapura(call, async ({ staff }) => await staff.listFeeRates(LOOKING))
    call.output.result(found, () => table(found.rates, COLUMNS))
  },
}

const TEXTS = {
  channel: 'bank',
  percent: 'percent',
  fixed_amount: 'fixed',
  reason: 'reason',
} as const

function methodOf(call: Call): Rate['payment_type'] {
  const given = call.argument('method')
  const known = PAYMENT_TYPES.find((type) => type === given)
  if (known !== undefined) return known
  throw new UsageError(`no such method: ${given}; there is ${PAYMENT_TYPES.join(', ')}`)
}

const set: Command = {
  name: 'fees set',
  summary: 'Set the expected fee of a payment method from a day on.',
  details:
    'A rate of the same method, bank and day is replaced. Expectations of that day and later change with it; nothing in the ledger does.',
  arguments: [
    { name: 'method', summary: 'the payment method, as bank_transfer' },
    { name: 'day', summary: 'the first day in Jakarta on which it holds, as 2026-01-31' },
  ],
  flags: {
    bank: { value: 'name', summary: 'only this bank or store, as bca' },
    percent: { value: 'n', summary: 'of the amount, as 2.9 (default 0)' },
    fixed: { value: 'rupiah', summary: 'for each payment (default 0)' },
    vat: { value: 'n', summary: 'VAT on the fee in percent (default 11)' },
    payer: { summary: 'the payer bears the fee' },
    reason: { value: 'text', summary: 'where the rate is from, for the audit' },
    as: AS_FLAG,
  },
  examples: [
    'gapura fees set bank_transfer 2026-01-31 --bank bca --fixed 3500 --reason "contract"',
  ],
  run: async (call) => {
    const texts = Object.entries({ ...TEXTS, vat_percent: 'vat' }).flatMap(([field, flag]) => {
      const value = call.text(flag)
      return value === undefined ? [] : [[field, value] as const]
    })
    const input = {
      ...Object.fromEntries(texts),
      payment_type: methodOf(call),
      valid_from: call.argument('day'),
      ...(call.on('payer') && { borne_by: 'payer' as const }),
    }
    const rate = await withGapura(
      call,
      async ({ staff }) => await staff.setFeeRate(staffOf(call), input),
    )
    call.output.result(rate, () => table([rate], COLUMNS))
  },
}

export const FEE_COMMANDS: readonly Command[] = [list, set]
