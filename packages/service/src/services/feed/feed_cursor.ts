// A reader's position in the feed as text. Opaque: readers store it and give it back unchanged. It
// grants nothing, because the owner is checked at every page.
import { gatewayError } from '../../domain/errors.ts'
import type { EventPlace } from '../../store/events/outbox.ts'

export interface FeedCursor extends EventPlace {
  /** The PostgreSQL cluster whose transaction numbers these are. */
  cluster: string
  /** Every event that was not read yet happened after this, up to the length of a transaction. */
  read_until: Date
  /** The beginning of the oldest month that was stored when the cursor was made. */
  retained_since: Date
}

const VERSION = '1'
const CURSOR =
  /^1 (\d{1,20}) (\d{1,20}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (\d{1,9}) (\d{1,15}) (\d{1,15})$/
/** The largest number of a transaction; a larger one the database would refuse as an error. */
const XID_MAX = 2n ** 64n - 1n

export const encodeFeedCursor = (cursor: FeedCursor): string =>
  Buffer.from(
    [
      VERSION,
      cursor.cluster,
      cursor.xid,
      cursor.object_id,
      cursor.sequence,
      cursor.read_until.getTime(),
      cursor.retained_since.getTime(),
    ].join(' '),
  ).toString('base64url')

/** The cursor of a text that we made, or `invalid_request`. */
export function decodeFeedCursor(text: string): FeedCursor {
  const [, cluster = '', xid = '', object_id = '', sequence, ...times] =
    CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const [read_until, retained_since] = times.map((ms) => new Date(Number(ms)))
  if (read_until === undefined || retained_since === undefined || BigInt(xid) > XID_MAX) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'after', message: 'take it from next, unchanged, or write now' }],
    })
  }
  return { cluster, xid, object_id, sequence: Number(sequence), read_until, retained_since }
}
