/**
 * One intention of one owner. However often it is repeated, and after any time, it has one effect.
 */
export interface Intent {
  /** Empty for intents the service makes itself: queued jobs and approved refund requests. */
  owner_id: string
  key: string
  /** Of the request: the same key for another request is a mistake of the caller. */
  fingerprint: string
}
