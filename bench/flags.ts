import { parseArgs } from 'node:util'

/** A size in a full run and in a quick one. */
type Sizes<Name extends string> = Record<Name, readonly [full: number, quick: number]>

export type Flags<Name extends string> = Record<Name, number> & {
  /** Correctness only: no figure is written. */
  quick: boolean
}

/** `--quick`, and `--name 5` for each size. A size given on the command line holds in both. */
export function readFlags<Name extends string>(sizes: Sizes<Name>): Flags<Name> {
  const names = Object.keys(sizes) as Name[]
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    },
  })
  const given: Record<string, unknown> = values
  const { quick } = values
  const numbers = names.map((name) => {
    const [full, fast] = sizes[name]
    const text = given[name]
    return [name, typeof text === 'string' ? whole(name, text) : quick ? fast : full] as const
  })
  return { ...(Object.fromEntries(numbers) as Record<Name, number>), quick }
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new RangeError(`--${name} is a whole number, not ${text}`)
  return Number(text)
}
