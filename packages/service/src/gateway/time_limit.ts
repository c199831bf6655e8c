/** What was limited did not end in time. */
class TimeLimit extends Error {
  override readonly name = 'TimeoutError'
}

export interface Limit {
  within_ms: number
  /** Ends it before. */
  ended: AbortSignal
  /** What took too long, for the error's text. */
  what: string
}

/**
 * Runs the work with a signal that is aborted after so long, with TimeLimit as its reason. One of
 * `AbortSignal.any` and `AbortSignal.timeout` costs several times as much, and leaves its timer behind.
 */
export async function withinLimit<Result>(
  { within_ms, ended, what }: Limit,
  work: (aborted: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const end = (): void => limit.abort(ended.reason)
  if (ended.aborted) end()
  else ended.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => {
    limit.abort(new TimeLimit(`${what} did not end within ${within_ms} ms`))
  }, within_ms)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
  }
}
