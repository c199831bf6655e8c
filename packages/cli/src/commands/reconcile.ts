// Three-way matching: what differs between our payments, the gateway and the bank, and what is done.
import type { Gapura } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { record, table } from '../output.ts'
import { holidays, payouts } from './reconcile_payouts.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Staff = Gapura['staff']
type Exception = Awaited<ReturnType<Staff['getException']>>
type Proof = Awaited<ReturnType<Staff['getBalanceProofs']>>['days'][number]

const ACTIONS = ['refresh', 'adopt', 'post_fee', 'write_off', 'accept'] as const

const run: Command = {
  name: 'reconcile run',
  summary: 'Compare everything that is new with the gateway and the bank, now.',
  details: 'A worker does the same every minute. It may be repeated at any time.',
  flags: { as: AS_FLAG },
  examples: ['gapura reconcile run'],
  run: async (call) => {
    const done = await withGapura(
      call,
      async ({ staff }) => await staff.runReconciliation(staffOf(call)),
    )
    call.output.result(done, () =>
      record([
        ['lines', String(done.lines)],
        ['matched', String(done.matched)],
        ['exceptions', String(done.exceptions)],
        ['days proved', String(done.days_proved)],
      ]),
    )
    if (done.busy) call.output.note('Another process is at it; nothing was left out.')
  },
}

const exceptions: Command = {
  name: 'reconcile exceptions',
  summary: 'List what differs, newest first, with the proposed action.',
  flags: {
    cause: { value: 'cause', summary: 'only of this cause, as fee_differs' },
    kind: { value: 'kind', summary: 'only about payments, refunds, payouts, …' },
    day: { value: 'day', summary: 'only of this day in Jakarta: 2026-01-31' },
    payment: { value: 'id', summary: 'only about this payment' },
    overdue: { summary: 'only those that should have been decided by now' },
    closed: { summary: 'also those that were decided' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura reconcile exceptions', 'gapura reconcile exceptions --overdue'],
  run: async (call) => {
    const names = { cause: 'cause', kind: 'kind', day: 'day', payment: 'payment_id' }
    const query = {
      ...queryOf(call, names),
      ...(call.on('overdue') && { overdue: true }),
      ...(call.on('closed') && { closed: true }),
    }
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listExceptions(LOOKING, query),
    )
    type Row = (typeof page.results)[number]
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'DAY', of: (row: Row) => row.day },
      { title: 'CAUSE', of: (row: Row) => row.cause ?? '-' },
      { title: 'OURS', of: (row: Row) => row.ours ?? '-' },
      { title: 'THEIRS', of: (row: Row) => row.theirs ?? '-' },
      { title: 'EFFECT', of: (row: Row) => row.effect },
      { title: 'DUE', of: (row: Row) => row.due_on ?? '-' },
      { title: 'PROPOSED', of: (row: Row) => row.proposed_action ?? '-' },
      { title: 'ORDER', of: (row: Row) => row.order_id ?? row.reference ?? '-' },
    ]
    printPage(call, page, columns, 'No exceptions.')
  },
}

const exceptionText = (found: Exception): string =>
  record([
    ['exception', found.id],
    ['cause', found.cause ?? '-'],
    ['state', found.state],
    ['ours', found.ours ?? '-'],
    ['theirs', found.theirs ?? '-'],
    ['received', found.received ?? '-'],
    ['fee stated', found.fee ?? '-'],
    ['fee expected', found.expected_fee ?? '-'],
    ['effect', found.effect],
    ['actions', found.actions.join(', ') || '-'],
    ...found.history.map((done): [string, string] => [
      `action ${done.id}`,
      `${done.action} ${done.state} ${done.amount} by ${done.requested_by}: ${done.reason}`,
    ]),
  ])

const show: Command = {
  name: 'reconcile show',
  summary: 'Show an exception with everything that was done about it.',
  arguments: [{ name: 'exception', summary: 'its id' }],
  flags: {},
  examples: ['gapura reconcile show <id>'],
  run: async (call) => {
    const id = call.argument('exception')
    const found = await withGapura(call, async ({ staff }) => await staff.getException(LOOKING, id))
    call.output.result(found, () => exceptionText(found))
  },
}

function actionOf(call: Call): (typeof ACTIONS)[number] {
  const given = call.required('action')
  const action = ACTIONS.find((one) => one === given)
  if (action === undefined) throw new UsageError(`no such action; there is ${ACTIONS.join(', ')}`)
  return action
}

const act: Command = {
  name: 'reconcile act',
  summary: 'Act on an exception.',
  details:
    'refresh asks the gateway about the payment; adopt imports the order for --owner; post_fee and write_off post the difference; accept posts nothing. Above GAPURA_RECONCILE_SECOND_PERSON_ABOVE it waits until another staff member approves it. Everything that is posted can be undone.',
  arguments: [{ name: 'exception', summary: 'its id' }],
  flags: {
    action: { value: 'action', summary: ACTIONS.join(', '), required: true },
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    owner: { value: 'id', summary: 'for adopt: the owner of the payment' },
    as: AS_FLAG,
  },
  examples: ['gapura reconcile act <id> --action post_fee --reason "contract of March" --as dewi'],
  run: async (call) => {
    const owner_id = call.text('owner')
    const input = {
      action: actionOf(call),
      reason: call.required('reason'),
      ...(owner_id !== undefined && { owner_id }),
    }
    const found = await withGapura(
      call,
      async ({ staff }) =>
        await staff.actOnException(staffOf(call), call.argument('exception'), input),
    )
    call.output.result(found, () => exceptionText(found))
    if (found.waits_for_second_person) {
      const waits = found.history.find(({ state }) => state === 'held')
      call.output.note(`Another staff member approves it: gapura reconcile approve ${waits?.id}`)
    }
  },
}

/** Approving and undoing differ by one word. */
const decision = (
  name: 'approve' | 'undo',
  summary: string,
  decide: (staff: Staff, call: Call) => ReturnType<Staff['undoReconciliation']>,
): Command => ({
  name: `reconcile ${name}`,
  summary,
  arguments: [{ name: 'action', summary: 'its id, as reconcile show prints it' }],
  flags: {
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    as: AS_FLAG,
  },
  examples: [`gapura reconcile ${name} <id> --reason "checked with the bank" --as budi`],
  run: async (call) => {
    const done = await withGapura(call, async ({ staff }) => await decide(staff, call))
    call.output.result(done, () => `${done.action} is ${done.state}.`)
  },
})

const approve = decision(
  'approve',
  'Approve an action that waits for a second staff member.',
  async (staff, call) =>
    await staff.approveReconciliation(staffOf(call), call.argument('action'), {
      reason: call.required('reason'),
    }),
)

const undo = decision(
  'undo',
  'Undo an action, or withdraw one that waits; the exception is open again.',
  async (staff, call) =>
    await staff.undoReconciliation(staffOf(call), call.argument('action'), {
      reason: call.required('reason'),
    }),
)

const sumOf = ({ movements }: Proof): string =>
  movements.map(({ kind, amount }) => `${kind} ${amount}`).join(', ') || '-'
const causesOf = ({ causes }: Proof): string =>
  causes.map(({ cause, amount }) => `${cause} ${amount}`).join(', ') || '-'

const PROOF_COLUMNS = [
  { title: 'DAY', of: (row: Proof) => row.day },
  { title: 'OPENING', of: (row: Proof) => row.opening },
  { title: 'MOVEMENTS', of: sumOf },
  { title: 'EXPLAINED', of: causesOf },
  { title: 'CLOSING', of: (row: Proof) => row.closing },
  { title: 'UNEXPLAINED', of: (row: Proof) => row.unexplained },
  { title: 'STATE', of: (row: Proof) => row.state },
]

const proof: Command = {
  name: 'reconcile proof',
  summary: 'Show the proof of each day: opening balance, movements, closing balance.',
  flags: {
    from: { value: 'day', summary: 'the first day (default: 30 days before the last)' },
    to: { value: 'day', summary: 'the last day (default: today)' },
  },
  examples: ['gapura reconcile proof', 'gapura reconcile proof --from 2026-01-01 --to 2026-01-31'],
  run: async (call) => {
    const query = queryOf(call, { from: 'from', to: 'to' })
    const found = await withGapura(
      call,
      async ({ staff }) => await staff.getBalanceProofs(LOOKING, query),
    )
    call.output.result(found, () =>
      found.days.length === 0
        ? 'No balance of the gateway was read; see GATEWAY_BALANCE_READS.'
        : table(found.days, PROOF_COLUMNS),
    )
  },
}

export const RECONCILE_COMMANDS: readonly Command[] = [
  run,
  exceptions,
  show,
  act,
  approve,
  undo,
  proof,
  payouts,
  holidays,
]
