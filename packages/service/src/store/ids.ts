import { randomUUID } from 'node:crypto'

/**
 * A UUID of version 7: the time in milliseconds, then random bits, so that new rows lie together
 * in every index. Made in the process; no two calls agree, and no order between ids of the same
 * millisecond or of different processes is promised.
 */
export function newId(): string {
  // Version 4 has its random bits in the same places; only the first 52 bits differ.
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
