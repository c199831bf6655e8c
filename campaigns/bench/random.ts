/** Chance from a seed: the same seed makes the same choices in the same order. */
export interface Random {
  fraction: () => number
  between: (min: number, max: number) => number
  chance: (share: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
}

/** Mulberry32: small, even enough for choosing faults, and deterministic everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    between: (min, max) => min + fraction() * (max - min),
    chance: (share) => fraction() < share,
    pick: (items) => {
      const item = items[Math.floor(fraction() * items.length)]
      if (item === undefined) throw new RangeError('the list to pick from is empty')
      return item
    },
  }
}
