/** Two differences are a typo; more are another word. */
const SLIPS_MAX = 2

/** The known word with the fewest differences, if it is close enough. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((known) => ({ known, slips: slipsBetween(word, known) }))
    .filter(({ slips }) => slips <= SLIPS_MAX)
    .toSorted((one, other) => one.slips - other.slips)
  return near[0]?.known
}

/** The edit distance of two words. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let down = 0; down < one.length; down++) {
    const next = [down + 1]
    for (let across = 0; across < other.length; across++) {
      const changed = (row[across] ?? 0) + (one[down] === other[across] ? 0 : 1)
      next.push(Math.min(changed, (row[across + 1] ?? 0) + 1, (next[across] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
