// Every operation on a payment, as rows of one table.
import type { Evidence } from '../../domain/answer.ts'
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { ReportedStatus } from '../../domain/payment_status.ts'
import { usesSnapSource } from '../../domain/payment_type.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { listTransitions } from '../../store/events/history.ts'
import { checkPaymentsNow } from '../../store/payments/checks.ts'
import { finishRefund, releaseRefund } from '../../store/refunds/rows.ts'
import {
  reasonOf,
  seenBy,
  type Attempt,
  type OperationType,
  type Recording,
  type Refusal,
} from '../operations/operation_type.ts'
import { evidenceOf } from '../operations/record.ts'
import { enterFacts } from './apply_facts.ts'
import { CHARGE, refusalWords } from './charge_operation.ts'
import { ask } from './check_status.ts'
import { amountIn, isRefunded, representRefunded, withoutList, withRefund } from './own_refund.ts'
import { PaymentWriteBatch } from './payment_write_batch.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'
import { PAYMENT_ACCESS, type Refunded } from './representation.ts'

type ActionKind = Extract<
  OperationKind,
  'cancel' | 'expire' | 'capture' | 'approve' | 'deny' | 'refund' | 'direct_refund'
>

type Action<Body extends object = PaymentRepresentation> = OperationType<
  GatewayPayment,
  TransactionFacts,
  undefined,
  Body
>
type Call = (
  gateway: GatewayClient,
  payment: GatewayPayment,
  operation: GatewayOperation,
) => Promise<TransactionReply>

interface ActionRow {
  /** The call, made from the stored operation alone, so that it can be made again. */
  call: Call
  /** The statuses that show that it was carried out. */
  shown: readonly ReportedStatus[]
  /** Whether it takes money: then a payment that was paid since is proof as well. */
  takes_money?: boolean
  /** How often it may be sent in total. A second capture could take the money twice. */
  sends_max: number
}

/** The first send, and one more by the resolver. */
const SENDS_MAX = 2

/** By the gateway's own id if it is known. */
const idOf = ({ transaction_id, order_id }: GatewayPayment): string => transaction_id ?? order_id
const optionsOf = (payment: GatewayPayment, { id }: GatewayOperation) => ({
  idempotency_key: id,
  snap_source: usesSnapSource(payment),
})

const plain =
  (name: 'cancel' | 'expire' | 'approve' | 'deny'): Call =>
  async (gateway, payment, operation) =>
    await gateway[name](idOf(payment), optionsOf(payment, operation))

/** Money that was refunded or charged back was captured before. */
const MONEY_TAKEN = [
  'capture',
  'settlement',
  'partial_refund',
  'refund',
  'partial_chargeback',
  'chargeback',
] as const

const ACTION_ROWS: Record<Exclude<ActionKind, 'refund' | 'direct_refund'>, ActionRow> = {
  cancel: { call: plain('cancel'), shown: ['cancel'], sends_max: SENDS_MAX },
  expire: { call: plain('expire'), shown: ['expire'], sends_max: SENDS_MAX },
  approve: { call: plain('approve'), shown: MONEY_TAKEN, takes_money: true, sends_max: SENDS_MAX },
  deny: { call: plain('deny'), shown: ['deny'], sends_max: SENDS_MAX },
  capture: {
    call: async (gateway, payment, operation) =>
      await gateway.capture(
        { transaction_id: idOf(payment), gross_amount: formatMoney(amountIn(operation)) },
        optionsOf(payment, operation),
      ),
    shown: MONEY_TAKEN,
    takes_money: true,
    sends_max: 1,
  },
}

/** What all actions on a payment have in common. */
const action = (kind: ActionKind, call: Call) =>
  ({
    kind,
    access: PAYMENT_ACCESS,
    source: 'action',
    creates: false,
    repeat_continues: false,
    after_unclear: 'look',
    given_up_as: 'gateway_state_conflict',
    send: async ({ gateway }, { subject, operation }) => {
      const facts = factsOf(await call(gateway, subject, operation))
      if (facts !== undefined) return facts
      throw gatewayError('outcome_unknown', { operation: kind })
    },
    inspect: async (ctx, payment) => await seenBy(async () => factsOf(await ask(ctx, payment))),
    keep: ({ status_code, status }) => ({ status_code, status }),
    apply: async (tx, locked, facts, recording) => await apply(tx, locked, facts, recording),
    refuse: async (tx, locked, refusal) => await refuse(tx, locked, refusal),
  }) satisfies Partial<Action<object>>

const actionOf = (
  kind: keyof typeof ACTION_ROWS,
  { call, shown, takes_money = false, sends_max }: ActionRow,
  { send, inspect, ...common } = action(kind, call),
): Action => ({
  ...common,
  inspect,
  // A further send may be answered with the reply to the first: what the payment is now is queried.
  send: async (ctx, attempt) => {
    const facts = await send(ctx, attempt)
    if (attempt.operation.sends === 1) return facts
    const seen = await inspect(ctx, attempt.subject)
    if (seen.kind === 'seen') return seen.answer
    throw gatewayError('outcome_unknown', { operation: kind })
  },
  flow: 'action',
  isDone: ({ created_at }, { status, fraud }, { paid_at }) =>
    (takes_money && paid_at !== null && paid_at >= created_at) ||
    (shown.includes(status) && !(kind === 'approve' && fraud === 'challenge')),
  isRefusal: (_operation, { definite }) => definite,
  next: ({ operation }) => (operation.sends < sends_max ? 'send' : 'refuse'),
  manual: {
    refused_as: 'gateway_state_conflict',
    doneFault: (_payment, seen) => ({
      field: 'outcome',
      message: `the gateway shows ${seen.kind === 'seen' ? seen.answer.status : 'nothing'}; only a refund may be recorded as done without its answer`,
    }),
  },
})

/** The gateway accepts a refund key again for seven days; after six the resolver sends no more. */
const REFUND_RESEND_MS_MAX = 6 * 86_400_000

/**
 * After an earlier send, only the gateway's decision about the refund itself releases its amount.
 */
const REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'refund_denied',
  'refund_rejected',
  'gateway_state_conflict',
])

const refundOf = (
  kind: 'refund' | 'direct_refund',
  method: 'refund' | 'directRefund',
): Action<Refunded> => ({
  ...action(kind, async (gateway, payment, operation) => {
    const { reason } = operation.request
    return await gateway[method](
      {
        order_id: idOf(payment),
        refund_key: operation.refund_id ?? '',
        amount: formatMoney(amountIn(operation)),
        reason: typeof reason === 'string' ? reason : '',
      },
      optionsOf(payment, operation),
    )
  }),
  flow: 'refund',
  isDone: ({ refund_id }, { refunds }) =>
    refunds.some(({ refund_key }) => refund_key === refund_id),
  isRefusal: ({ sends }, { definite, code }) =>
    definite && (sends === 1 || REFUND_REFUSALS.has(code)),
  // Its own key makes it safe to send again, and this holds by the database's clock also after a pause.
  resend_within_ms: REFUND_RESEND_MS_MAX,
  next: ({ age_ms }) => (age_ms < REFUND_RESEND_MS_MAX ? 'send' : 'wait'),
  needsStaff: ({ age_ms }) => (age_ms < REFUND_RESEND_MS_MAX ? null : 'refund_overdue'),
  hadEffect: async (tx, operation) =>
    operation.state === 'succeeded' || (await isRefunded(tx, operation)),
  represent: async (tx, payment, operation) => await representRefunded(tx, payment, operation),
  manual: {
    refused_as: 'refund_denied',
    // A bank's statement may show the money gone although the gateway does not list the refund.
    believe: ({ operation }, payment, seen) => withoutList(payment, operation, seen),
    doneFault: () => ({
      field: 'outcome',
      message: 'the gateway cannot be queried now; try later',
    }),
  },
})

export const PAYMENT_ACTIONS = {
  cancel: actionOf('cancel', ACTION_ROWS.cancel),
  expire: actionOf('expire', ACTION_ROWS.expire),
  approve: actionOf('approve', ACTION_ROWS.approve),
  deny: actionOf('deny', ACTION_ROWS.deny),
  capture: actionOf('capture', ACTION_ROWS.capture),
  refund: refundOf('refund', 'refund'),
  direct_refund: refundOf('direct_refund', 'directRefund'),
} satisfies Record<ActionKind, Action<object>>

export const PAYMENT_OPERATIONS = { charge: CHARGE, ...PAYMENT_ACTIONS }

async function apply(
  tx: Tx,
  locked: GatewayPayment,
  facts: TransactionFacts,
  { ctx, attempt, asked_at }: Recording<GatewayPayment, undefined>,
) {
  const { operation, source, by } = attempt
  const batch = new PaymentWriteBatch(tx, ctx)
  const provenance = {
    evidence: await evidenceFor(tx, attempt, locked),
    asked_at,
    own: 'action',
    refund_key: operation.refund_id,
    source,
    evidence_id: operation.id,
    notification_id: null,
    ...reasonOf(by),
  } as const
  const reported = { facts: await withRefund(tx, attempt, facts), provenance }
  const { payment } = await enterFacts(batch, locked, reported)
  // What was queried right after a further send may be older than it.
  const queried = operation.sends > 1 && operation.refund_id === null
  const after = queried ? await batch.defer(payment, true) : payment
  await batch.close()
  return { after }
}

/**
 * A refund that is sent again may be answered with the reply to its first send. If a change of the
 * payment is recorded since then, that counts as a report.
 */
async function evidenceFor(
  tx: Tx,
  { operation, subject, by }: Attempt<GatewayPayment, undefined>,
  locked: GatewayPayment,
): Promise<Evidence> {
  const replayed = operation.refund_id !== null && operation.sends > 1 && by === undefined
  const last = replayed ? (await listTransitions(tx, locked.id)).at(-1) : undefined
  const changed = last !== undefined && last.occurred_at > operation.created_at
  return changed ? 'report' : evidenceOf(subject, locked)
}

/** The gateway refused: the reservation is released, and the payment's status is queried soon. */
async function refuse(
  tx: Tx,
  locked: GatewayPayment,
  { attempt: { operation }, error }: Refusal<GatewayPayment, TransactionFacts, undefined>,
): Promise<void> {
  if (operation.refund_id !== null) await failRefund(tx, locked, operation.refund_id, error)
  if (error.code === 'gateway_state_conflict') await checkPaymentsNow(tx, [locked.id])
}

async function failRefund(tx: Tx, payment: GatewayPayment, refund_id: string, error: GatewayError) {
  const failure = { status: 'failed', ...refusalWords(error), confirmed_at: null } as const
  const failed = await finishRefund(tx, refund_id, failure)
  if (failed === undefined) return
  const released = await releaseRefund(tx, payment.id, failed.amount)
  if (released === undefined) throw new Error(`refund ${refund_id} had no reserved amount`)
}
