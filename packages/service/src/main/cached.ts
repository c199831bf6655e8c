/**
 * Asks at most once in so many milliseconds, however many ask: those who come meanwhile share the
 * answer, a failure too. A storm of scrapes or probes must not become one at the database.
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
