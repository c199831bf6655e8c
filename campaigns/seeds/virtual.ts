// Time, timers and chance of the logical processes. Code that runs for a logical process sees the
// clock and the seed of its run; everything else in this Node process sees the real ones.
import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { readdirSync, readFileSync, type PathLike } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { Random } from '../bench/random.ts'

/** Where virtual time begins, in milliseconds. */
export const START_MS = Date.UTC(2026, 0, 15, 3)

interface VirtualTimer {
  owner: Owner
  due: number
  order: number
  fire: () => void
}

const dueOf = ({ due, owner }: VirtualTimer): number => Math.max(due, owner.paused_until)

/** The clock and the timers of one run. */
export class VirtualClock {
  now = START_MS
  #timers: VirtualTimer[] = []
  #count = 0

  set(owner: Owner, ms: number, fire: () => void): () => void {
    this.#count += 1
    const due = this.now + Math.max(1, Math.ceil(Number.isFinite(ms) ? ms : 1))
    const timer = { owner, due, order: this.#count, fire }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Those of living processes, the earliest first; a paused process has none before it goes on. */
  #living(): VirtualTimer[] {
    this.#timers = this.#timers.filter(({ owner }) => owner.alive)
    return this.#timers.toSorted(
      (one, other) => dueOf(one) - dueOf(other) || one.order - other.order,
    )
  }

  nextAt(): number | undefined {
    const [next] = this.#living()
    return next && dueOf(next)
  }

  due(): VirtualTimer[] {
    return this.#living().filter((timer) => dueOf(timer) <= this.now)
  }

  fire(timer: VirtualTimer): void {
    this.#timers = this.#timers.filter((one) => one !== timer)
    current.run(timer.owner, timer.fire)
  }
}

/** A logical process, or the callers, who never die. */
export interface Owner {
  name: string
  alive: boolean
  /** Until then nothing of it goes on. */
  paused_until: number
  random: Random
  clock: VirtualClock
}

export const current = new AsyncLocalStorage<Owner>()

/** The work of one process, and whether it is over. */
export function track(owner: Owner, work: () => Promise<void>) {
  let over = false
  const failures: unknown[] = []
  void current
    .run(owner, work)
    .catch((error: unknown) => failures.push(error))
    .finally(() => (over = true))
  return { isOver: () => over, failures }
}

export const realTimeout = globalThis.setTimeout
export const realImmediate = globalThis.setImmediate

/** A handle as Node returns one, as far as it is used. */
class Handle {
  cancel: () => void = () => undefined

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return false
  }
}

type Callback = (...given: unknown[]) => void

/** Replaces the globals once; without a logical process they are what they were. */
export function installVirtual(): void {
  replaceChance()
  replaceClocks()
  replaceTimers()
  replaceFiles()
  syncBuiltinESMExports()
}

function replaceChance(): void {
  const { random } = Math
  Math.random = () => current.getStore()?.random.fraction() ?? random()
  const { randomUUID, randomBytes, randomInt } = crypto
  const bytes = (chance: Random, size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => Math.floor(chance.fraction() * 256)))
  const changed = {
    randomUUID: () => {
      const chance = current.getStore()?.random
      if (chance === undefined) return randomUUID()
      const hex = bytes(chance, 16).toString('hex')
      const variant = '89ab'[Math.floor(chance.fraction() * 4)] ?? '8'
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    randomBytes: (size: number) => {
      const chance = current.getStore()?.random
      return chance === undefined ? randomBytes(size) : bytes(chance, size)
    },
    randomInt: (...range: [number] | [number, number]) => {
      const chance = current.getStore()?.random
      const [min, max] = range.length === 1 ? [0, range[0]] : range
      return chance === undefined ? randomInt(min, max) : Math.floor(chance.between(min, max))
    },
  }
  Object.assign(crypto, changed)
}

/** At once: the thread pool would answer at no fixed turn of the event loop. */
function replaceFiles(): void {
  const { readFile, readdir } = files
  const changed = {
    readFile: async (file: PathLike, encoding: BufferEncoding | null = null) =>
      current.getStore() === undefined
        ? await readFile(file, encoding)
        : readFileSync(file, { encoding }),
    readdir: async (folder: PathLike) =>
      current.getStore() === undefined ? await readdir(folder) : readdirSync(folder),
  }
  Object.assign(files, changed)
}

function replaceClocks(): void {
  const real_now = Date.now
  const real_elapsed = performance.now.bind(performance)
  Date.now = () => current.getStore()?.clock.now ?? real_now()
  // For `new Date()`, which does not ask the function above.
  globalThis.Date = new Proxy(Date, {
    construct: (real, given: [] | [number], made: typeof Date) =>
      Reflect.construct(real, given.length === 0 ? [real.now()] : given, made),
  })
  performance.now = () => {
    const clock = current.getStore()?.clock
    return clock === undefined ? real_elapsed() : clock.now - START_MS
  }
}

function replaceTimers(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const clear = (real: (handle: never) => void) => (handle: unknown) => {
    if (handle instanceof Handle) handle.cancel()
    else real(handle as never)
  }
  const later = (fire: Callback, ms = 1, ...given: unknown[]): unknown => {
    const owner = current.getStore()
    if (owner === undefined) return setTimeout(fire, ms, ...given)
    const handle = new Handle()
    handle.cancel = owner.clock.set(owner, ms, () => fire(...given))
    return handle
  }
  const again = (fire: Callback, ms = 1, ...given: unknown[]): unknown => {
    const owner = current.getStore()
    if (owner === undefined) return setInterval(fire, ms, ...given)
    const handle = new Handle()
    const arm = (): void => {
      handle.cancel = owner.clock.set(owner, ms, () => {
        arm()
        fire(...given)
      })
    }
    arm()
    return handle
  }
  Object.assign(globalThis, {
    setTimeout: later,
    setInterval: again,
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
  })
  const real_sleep = timers.setTimeout
  const sleep = async (ms?: number, value?: unknown, options: { signal?: AbortSignal } = {}) => {
    const owner = current.getStore()
    if (owner === undefined) return await real_sleep(ms, value, options)
    const { signal } = options
    if (signal?.aborted === true) throw new DOMException('aborted', 'AbortError')
    return await new Promise((resolve, reject) => {
      const cancel = owner.clock.set(owner, ms ?? 1, () => resolve(value))
      const onAbort = (): void => {
        cancel()
        reject(new DOMException('aborted', 'AbortError'))
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
  Object.assign(timers, { setTimeout: sleep })
}
