// The history of the orders that a verdict names, from both sides and in order of time, to find the
// cause of a broken promise.
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import type { GatewayWitness } from './gateway_witness.ts'

const ORDER =
  /(?<!intent )\b(?:[\w-]*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ord-[0-9A-Z]{16}-a)/g
const ORDERS_MAX = 3

interface Line {
  at: Date
  what: string
}

/** The lines of each order named in one of the sentences; a few are enough. */
export async function storiesOf(
  faults: readonly string[],
  { db, witness }: { db: Database; witness: GatewayWitness },
): Promise<string[]> {
  const named = new Set(faults.flatMap((fault) => fault.match(ORDER) ?? []))
  if (named.size === 0) return []
  const calls = await witness.calls()
  const stories: string[] = []
  for (const order_id of [...named].slice(0, ORDERS_MAX)) {
    const theirs = calls
      .filter((call) => call.order_id === order_id)
      .map(({ at, operation, fault = '', work_done }) => ({
        at: new Date(at),
        what: `gateway  ${operation} ${work_done ? 'done' : 'not done'} ${fault}`,
      }))
    const lines = [...(await ourLines(db, order_id)), ...theirs]
    lines.sort((one, other) => one.at.getTime() - other.at.getTime())
    stories.push(order_id, ...lines.map(({ at, what }) => `  ${at.toISOString()} ${what}`))
  }
  return stories
}

const ourLines = async (db: Database, order_id: string): Promise<Line[]> =>
  await withTransaction(
    db,
    async (tx) =>
      await tx.query<{ at: Date; what: string }>(
        `with payment as (
           select id, created_at, payment_type, refused
           from gapura.gateway_payment
           where order_id = $1
         )
         select created_at as at,
           format('payment  %s %s%s', id, payment_type, case when refused then ' refused' end)
           as what
         from payment
         union all
         select step.occurred_at, format('step     %s %s to %s by %s %s', step.object_id,
           step.from_status, step.to_status, step.source, step.reason)
         from gapura.gateway_transition as step
         join payment on payment.id = step.object_id
         union all
         select created_at, format('begun    %s %s', kind, id)
         from gapura.gateway_operation
         where subject_id in (select id from payment)
         union all
         select updated_at, format('ended    %s %s %s, sent %s times, last %s, attempt %s, %s', kind,
           id, state, sends, sent_at, attempt, reply)
         from gapura.gateway_operation
         where subject_id in (select id from payment)
         union all
         select received_at, format('notified %s %s %s', transaction_status, effect, reason)
         from gapura.gateway_notification
         where order_id = $1`,
        [order_id],
      ),
  )
