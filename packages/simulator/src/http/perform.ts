// One gateway call from start to end: faults before the work, authentication, idempotency window,
// the work, faults on the reply. The ledger records every call, also calls without a reply.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fieldsAt, flagAt, integerAt, textAt } from '../wire/fields.ts'
import type { FaultRule } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import { headerOf, paramOf, type Call } from './call.ts'
import { replyInstead, spoil } from './faulted_reply.ts'
import { refuseStranger } from './gate.ts'
import type { Operation } from './operations.ts'
import { coreReply, isSuccess, statusCodeOf, type Reply } from './reply.ts'

/** What to do with the socket: reply, close it, or leave the caller waiting. */
export type Ending = Reply | 'drop' | 'never'

interface Work {
  reply: Reply
  replayed: boolean
  work_done: boolean
}

/** Performs a call with its fault, if one applies, and records it in the ledger. */
export async function perform(world: World, call: Call, operation: Operation): Promise<Ending> {
  const order_id = orderIdOf(world, call, operation)
  // A subscription has no order before its first cycle, so faults match its name.
  const subject = order_id ?? textAt(call.body ?? {}, 'name')
  const fault = world.faults.forCall({ operation: call.operation, order_id: subject })
  // Before authentication and idempotency: a call that never arrived has no effect on either.
  const early = fault && endingBeforeWork(fault, operation)
  const done = early ? undefined : await work(world, call, { operation, fault })
  await world.courier.sentEarly()
  const ending = early ?? (done ? endingAfterWork(done.reply, fault, operation) : 'drop')
  const answered = typeof ending === 'string' ? undefined : ending
  world.ledger.call({
    operation: call.operation,
    method: call.method,
    path: operation.path,
    order_id,
    transaction_id: done && transactionIdOf(done.reply),
    resource_id: resourceIdOf(call, operation),
    idempotency_key: headerOf(call, 'idempotency-key') ?? headerOf(call, 'x-idempotency-key'),
    request_digest: digestOf(call),
    http_status: answered?.http_status ?? null,
    status_code: answered ? statusCodeOf(answered) : null,
    ...(fault && { fault: fault.effect }),
    replayed: done?.replayed ?? false,
    work_done: done?.work_done ?? false,
  })
  return ending
}

async function work(
  world: World,
  call: Call,
  { operation, fault }: { operation: Operation; fault: FaultRule | undefined },
): Promise<Work> {
  const stranger = refuseStranger(world, call, operation)
  if (stranger) return { reply: stranger, replayed: false, work_done: false }
  const key = operation.idempotent ? keyOf(call) : undefined
  const seen = key === undefined ? undefined : world.keys.find(key)
  if (seen === 'running') return { reply: STILL_RUNNING, replayed: false, work_done: false }
  if (seen) return { reply: seen, replayed: true, work_done: false }
  // From here on a second request with this key gets HTTP 202.
  if (key !== undefined) world.keys.start(key)
  const waits_after = fault !== undefined && flagAt(fault.options, 'after') === true
  if (fault?.effect === 'delay' && !waits_after) await pause(fault)
  const reply = operation.handler(world, call)
  // An answer made now and sent later: what it says may be out of date when it arrives.
  if (fault?.effect === 'delay' && waits_after) await pause(fault)
  const success = isSuccess(reply)
  if (key !== undefined) world.keys.finish(key, success ? reply : undefined)
  return { reply, replayed: false, work_done: success || statusCodeOf(reply) === '202' }
}

const STILL_RUNNING: Reply = {
  ...coreReply({
    status_code: '202',
    status_message: 'A request with the same idempotency key is still being processed',
  }),
  http_status: 202,
}

const pause = async ({ options }: FaultRule): Promise<void> =>
  await sleep(integerAt(options, 'ms') ?? 1000, undefined, { ref: false })

const KEY_LENGTH_MAX = 46

/**
 * A key that is too long is ignored, and two methods ignore every key
 * (gateway-protocol.md#idempotency).
 */
function keyOf(call: Call): string | undefined {
  const key = headerOf(call, 'idempotency-key')
  if (key === undefined || key === '' || key.length > KEY_LENGTH_MAX) return undefined
  const body = call.body ?? {}
  const permata =
    textAt(fieldsAt(body, 'bank_transfer'), 'bank') === 'permata' ||
    body['payment_type'] === 'permata'
  const indomaret = textAt(fieldsAt(body, 'cstore'), 'store')?.toLowerCase() === 'indomaret'
  return call.operation === 'charge' && (permata || indomaret) ? undefined : key
}

function endingBeforeWork(fault: FaultRule, { family }: Operation): Ending | undefined {
  if (fault.effect === 'timeout_before') return 'never'
  if (fault.effect === 'drop_before') return 'drop'
  return flagAt(fault.options, 'after') === true ? undefined : replyInstead(fault, family)
}

function endingAfterWork(
  reply: Reply,
  fault: FaultRule | undefined,
  { family }: Operation,
): Ending {
  if (!fault) return reply
  if (fault.effect === 'timeout_after') return 'never'
  if (fault.effect === 'drop_after') return 'drop'
  return spoil(reply, fault, family)
}

/** The order that a call concerns, as far as the request shows it. */
function orderIdOf(world: World, call: Call, { family }: Operation): string | undefined {
  const body = call.body ?? {}
  const details = fieldsAt(body, 'transaction_details')
  const named = textAt(details, 'order_id') ?? textAt(body, 'order_id')
  if (named !== undefined) return named
  if (family === 'invoice') return world.invoices.get(paramOf(call, 'id'))?.order_id
  if (family === 'snap') return world.checkouts.byToken(paramOf(call, 'id'))?.order_id
  if (family !== 'core') return undefined
  const id = textAt(body, 'transaction_id') ?? paramOf(call, 'id')
  return world.transactions.find(id)?.order_id ?? (id === '' ? undefined : id)
}

/** What a path names that is no order: an account, a subscription, an invoice, a hosted page. */
function resourceIdOf(call: Call, { family }: Operation): string | undefined {
  const id = paramOf(call, 'account_id') || (family === 'core' ? '' : paramOf(call, 'id'))
  return id === '' ? undefined : id
}

function transactionIdOf({ body }: Reply): string | undefined {
  return typeof body === 'string' ? undefined : textAt(body, 'transaction_id')
}

/** Of the body alone: the query of the card calls holds a number that no digest may reveal. */
const digestOf = ({ body_text }: Call): string | undefined =>
  body_text === '' ? undefined : createHash('sha256').update(body_text).digest('hex')
