// Whether the time of an answer shows how much of a secret was guessed: alternates wrong values of
// equal length that share a long prefix with the right one, or none, and computes Welch's t over
// their times. |t| below 4.5 is the usual bound for "no difference seen". It is no test of the
// suite, because a busy machine makes its own differences.
import { createHash } from 'node:crypto'
import { Secret } from '../packages/service/src/gateway/secret.ts'
import { signNotification, verifyingKey } from '../packages/service/src/gateway/signature.ts'
import { callersOfKeys } from '../packages/service/src/services/access/callers.ts'
import { readArguments } from './bench/arguments.ts'
import { seeded } from './bench/random.ts'
import { progress, report, type Figure } from './bench/report.ts'
import { settlement } from './bench/forgeries.ts'
import { render } from './hostile/input.ts'
import { Line } from './hostile/lines.ts'
import { canaryKey, openTarget } from './hostile/target.ts'

const T_MAX = 4.5
/** The slowest tenth of each class is noise of the machine. */
const KEPT = 0.9

const given = readArguments({ n: 20_000, quick_n: 1_000 })
const random = seeded(given.seed)
const server_key = canaryKey()
const target = await openTarget({ seed: given.seed, random: seeded(given.seed), server_key })
const { port, world, deployment } = target

type Class = 'near' | 'far'
/** Calls once with a wrong value of this class and resolves to the time it took. */
type Sample = (of: Class) => Promise<number> | number

const moments = (times: readonly number[]) => {
  const kept = times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * KEPT))
  const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length
  const variance = kept.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (kept.length - 1)
  return { mean, variance, count: kept.length }
}

function welch(near: readonly number[], far: readonly number[]) {
  const [a, b] = [moments(near), moments(far)]
  const t = (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
  return { t, near_us: a.mean * 1_000, far_us: b.mean * 1_000 }
}

async function compare(what: string, count: number, sample: Sample): Promise<number> {
  const times: Record<Class, number[]> = { near: [], far: [] }
  for (let at = 0; at < Math.min(500, count); at++) await sample(at % 2 === 0 ? 'near' : 'far')
  for (let at = 0; at < count; at++) {
    // In both orders, so that neither class always comes second.
    const pair: Class[] = random.chance(0.5) ? ['near', 'far'] : ['far', 'near']
    for (const of of pair) times[of].push(await sample(of))
  }
  const { t, near_us, far_us } = welch(times.near, times.far)
  const words = `t ${t.toFixed(2)}; ${near_us.toFixed(2)} and ${far_us.toFixed(2)} µs`
  progress(`${what}: ${words}`)
  figures.push({
    what: `${what}, ${count} of each, near and far`,
    measured: words,
    ...(what.startsWith('control')
      ? {}
      : { goal: `|t| < ${T_MAX}`, timed: true, missed: Math.abs(t) >= T_MAX }),
  })
  return t
}

const figures: Figure[] = []
const clocked = (work: () => unknown): number => {
  const began = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - began) / 1e6
}
const awaited = async (work: () => Promise<unknown>): Promise<number> => {
  const began = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - began) / 1e6
}

/** Equal length, and made with equal work; near shares all but the last few characters. */
function wrong(right: string, alphabet: string, of: Class): string {
  const shared = of === 'near' ? right.length - 4 : 0
  const letters = Array.from(right, () => alphabet[Math.floor(random.between(0, alphabet.length))])
  const made = right.slice(0, shared) + letters.join('').slice(shared)
  // One flat string, as a parser makes it: a concatenated string is read more slowly.
  return made === right ? wrong(right, alphabet, of) : Buffer.from(made).toString('latin1')
}

const HEX = '0123456789abcdef'
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [payment] = world.payments
if (payment === undefined) throw new Error('there is no payment to sign a notification for')
const genuine = settlement(payment, server_key)
const fields = {
  order_id: genuine.order_id,
  status_code: genuine.status_code,
  gross_amount: genuine.gross_amount,
}
const right = signNotification(fields, server_key)

/** Stops at the first difference, as a comparison of secrets must not. */
const naive = (one: string, other: string): boolean => {
  for (let at = 0; at < one.length; at++)
    if (one.charCodeAt(at) !== other.charCodeAt(at)) return false
  return true
}
const REPEATED = 20
const repeated = (work: () => unknown): number =>
  clocked(() => {
    for (let at = 0; at < REPEATED; at++) work()
  })

const control = await compare(
  'control: a comparison that stops at the first difference',
  given.n,
  (of) => {
    const tried = wrong(right, HEX, of)
    return repeated(() => naive(tried, right))
  },
)
const keys = [new Secret(server_key)]
await compare('the signature, in process', given.n, (of) => {
  const tried = wrong(right, HEX, of)
  return repeated(() => verifyingKey(fields, tried, keys))
})
const line = new Line(port)
const post = async (body: object): Promise<void> => {
  const heard = await line.send(render({ path: '/notification/', body: JSON.stringify(body) }))
  if (typeof heard === 'string' || heard.status !== 403)
    throw new Error(`a wrong signature got ${typeof heard === 'string' ? heard : heard.status}`)
}
const by_http = Math.ceil(given.n / 4)
await compare('the signature, by HTTP', by_http, async (of) => {
  const tried = { ...genuine, signature_key: wrong(right, HEX, of) }
  return await awaited(async () => await post(tried))
})
const [key = ''] = world.keys
const find = callersOfKeys(deployment.parts.ctx)
await compare('the look-up of an API key, with the database', by_http, async (of) => {
  const tried = `gpk_${wrong(key.slice(4), LETTERS, of)}`
  return await awaited(async () => await find(tried))
})
// The database compares hashes, so that no caller can choose their prefixes; this measures the
// worst case, hashes with a common prefix.
const hash = createHash('sha256').update(key).digest('hex')
const { db } = deployment.parts.ctx
await compare('the look-up of a hash, worst case', by_http, async (of) => {
  const tried = wrong(hash, HEX, of)
  return await awaited(
    async () =>
      await db.pool.query(`select 1 from ${db.schema}.api_key where key_hash = $1`, [tried]),
  )
})

report('timing', given, {
  figures,
  faults: Math.abs(control) < T_MAX ? ['the control shows no difference: nothing is shown'] : [],
})
line.close()
await target.close()
