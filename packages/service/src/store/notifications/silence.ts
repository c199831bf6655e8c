import type { Tx } from '../connection/transaction.ts'

export interface Silence {
  /** The same for the whole silence, so that it is published once. */
  id: string
  /** The last notification; null if none ever came. */
  last_at: Date | null
}

/**
 * A silence of the gateway that was not published yet: no notification for so many hours, although
 * the gateway accepted a payment meanwhile, which it always reports. Takes no lock.
 */
export async function findSilence(tx: Tx, hours: number): Promise<Silence | undefined> {
  const [silence] = await tx.query<Silence>(
    `select id, last_at
     from (
       select last_at, md5('gateway_silent ' || coalesce(last_at::text, 'never'))::uuid as id
       from (
         select (
           select received_at
           from gapura.gateway_notification
           order by id desc
           limit 1
         ) as last_at
       ) as heard
     ) as silence
     where coalesce(last_at, '-infinity') < gapura.now() - make_interval(hours => $1)
       and exists (
         select from gapura.gateway_payment
         where created_at > gapura.now() - make_interval(hours => $1)
           and created_at < gapura.now() - interval '10 minutes'
           and transaction_status <> 'initiated'
       )
       and not exists (
         select from gapura.gateway_event
         where object_id = silence.id
           and sequence = 1
       )`,
    [hours],
  )
  return silence
}
