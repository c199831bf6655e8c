/**
 * Calls the function at most once in this many milliseconds; callers in between share its result or
 * failure. Frequent scrapes or probes therefore do not load the database.
 */
export function cached<Answer>(ask: () => Promise<Answer>, keep_ms: number): () => Promise<Answer> {
  let known: { answer: Promise<Answer>; until: number } | undefined
  return async () => {
    if (known === undefined || performance.now() >= known.until) {
      const asked = { answer: ask(), until: Number.POSITIVE_INFINITY }
      known = asked
      const ended = (): void => {
        asked.until = performance.now() + keep_ms
      }
      asked.answer.then(ended, ended)
    }
    return await known.answer
  }
}
