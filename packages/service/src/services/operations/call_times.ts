/** Connect, read and a margin: before this no other process may touch an operation that was sent. */
export const CALL_DUE_MS = 1_000 + 10_000 + 5_000

/** A paused process must not wake and send what it wrote down: past this the resolver has the word. */
export const SEND_WITHIN_MS = 5_000
