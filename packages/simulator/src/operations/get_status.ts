import type { Call } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { statusFields } from '../wire/representation.ts'
import type { World } from '../world/world.ts'
import { transactionOf } from './found.ts'

/** GET /v2/{id}/status. */
export function getStatus(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return coreError('404', world.random.uuid())
  return coreReply(statusFields(world, transaction))
}

const PER_PAGE_DEFAULT = 10
const PER_PAGE_MAX = 100

/** GET /v2/{id}/status/b2b: every transaction of the order, newest first. */
export function getStatusB2b(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return coreError('404', world.random.uuid())
  const page = wholeNumber(call.query.get('page'), 0)
  const per_page = Math.min(wholeNumber(call.query.get('per_page'), PER_PAGE_DEFAULT), PER_PAGE_MAX)
  const newest_first = world.transactions.allOf(transaction.order_id).toReversed()
  return coreReply({
    status_code: '200',
    status_message: 'Success, transactions are retrieved',
    transactions: newest_first
      .slice(page * per_page, (page + 1) * per_page)
      .map((one) => statusFields(world, one)),
  })
}

const wholeNumber = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : otherwise
