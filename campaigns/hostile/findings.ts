// Findings and how they are kept: a seed is the input itself, so that it can be sent again after
// the generators have changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { GatewayAnswer } from './garbled_answers.ts'
import type { HostileInput, World } from './input.ts'

/** One input that once was answered wrongly. */
export interface Seed {
  category: HostileInput['category']
  name: string
  /** What was wrong with the answer when it was found. */
  found: string
  invalid: string | null
  alone?: boolean
  silence_allowed?: boolean
  /** The request in latin1; keys and ids are names in braces. */
  request: string
  /** The gateway's answer to it, where that was the fault. */
  answer?: { http_status: number; body: string }
}

const FILE = fileURLToPath(new URL('seeds.json', import.meta.url))

export const readSeeds = (): Seed[] => JSON.parse(readFileSync(FILE, 'utf8')) as Seed[]

type Names = readonly (readonly [name: string, value: string])[]

const namesOf = ({ keys, staff_key, payments }: World): Names => [
  ...keys.map((key, at) => [`{owner ${at + 1}}`, key] as const),
  ['{staff}', staff_key],
  ...payments.map(({ id }, at) => [`{payment ${at + 1}}`, id] as const),
]

export function seedOf(
  input: HostileInput,
  found: string,
  world: World,
  answer?: GatewayAnswer,
): Seed {
  const { category, name, invalid, alone, silence_allowed } = input
  let request = input.bytes.toString('latin1')
  for (const [word, value] of namesOf(world)) request = request.replaceAll(value, word)
  return {
    category,
    name,
    found,
    invalid,
    ...(alone !== undefined && { alone }),
    ...(silence_allowed !== undefined && { silence_allowed }),
    request,
    ...(answer && {
      answer: { http_status: answer.http_status, body: answer.body.toString('latin1') },
    }),
  }
}

/** The input of a seed, for this system under test. */
export function inputOf(seed: Seed, world: World): HostileInput {
  const { request, found: _found, answer: _answer, ...rest } = seed
  let text = request
  for (const [word, value] of namesOf(world)) text = text.replaceAll(word, value)
  return { ...rest, bytes: Buffer.from(text, 'latin1') }
}

/** Adds new findings, one of each kind. */
export function keepSeeds(found: readonly Seed[]): number {
  const kept = readSeeds()
  const kind = ({ category, name, found: what }: Seed): string => `${category} ${name} ${what}`
  const known = new Set(kept.map(kind))
  const fresh = found.filter((seed) => !known.has(kind(seed)))
  if (fresh.length > 0) writeFileSync(FILE, `${JSON.stringify([...kept, ...fresh], null, 2)}\n`)
  return fresh.length
}
