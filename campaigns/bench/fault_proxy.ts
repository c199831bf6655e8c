// A TCP proxy that injects faults, between service and gateway or service and database. The kernel
// here has no netem, and no kernel could cut a connection between COMMIT and its answer.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Random } from './random.ts'

/** The current faults, which may be changed at any time; none if empty. */
export interface Weather {
  latency_ms?: number
  jitter_ms?: number
  /** Ends a connection, in both directions, once so many bytes of answers have passed. */
  cut_after_bytes?: number
  /** The share of chunks at which the connection is reset instead. */
  reset_share?: number
  /** Accepts everything and passes on nothing: the other side seems to have vanished. */
  black_hole?: boolean
  /** The share of COMMITs that reach the server and whose answer does not come back. */
  lost_commit_share?: number
}

export interface FaultCounts {
  connections: number
  cut: number
  reset: number
  swallowed: number
  lost_commits: number
}

export interface FaultProxy {
  port: number
  weather: Weather
  readonly counts: FaultCounts
  /** Resets every open connection at once. */
  resetAll: () => void
  close: () => Promise<void>
}

export interface ProxyOrder {
  /** Tried in turn: one that does not answer is skipped, as a load balancer would. */
  targets: readonly { host: string; port: number }[]
  random: Random
}

// A simple query whose whole text is the word, as our transactions send it.
const COMMIT = Buffer.from('commit\0')

export async function openFaultProxy({ targets, random }: ProxyOrder): Promise<FaultProxy> {
  const lines = new Set<Line>()
  const counts: FaultCounts = { connections: 0, cut: 0, reset: 0, swallowed: 0, lost_commits: 0 }
  const state = { weather: {} as Weather, counts, random }
  let turn = 0
  const server = createServer((client) => {
    counts.connections += 1
    turn += 1
    const order = targets.map((_, at) => targets[(at + turn) % targets.length])
    const line = new Line(
      client,
      order.filter((one) => one !== undefined),
      state,
    )
    lines.add(line)
    client.once('close', () => lines.delete(line))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const resetAll = (): void => {
    for (const line of lines) line.reset()
  }
  return {
    port,
    counts,
    get weather() {
      return state.weather
    },
    set weather(next) {
      state.weather = next
    },
    resetAll,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      resetAll()
      await closed
    },
  }
}

interface LineState {
  weather: Weather
  counts: FaultCounts
  random: Random
}

type Target = { host: string; port: number }

/** One connection and its other half. */
class Line {
  readonly #client: Socket
  readonly #state: LineState
  #upstream: Socket | undefined
  #answered_bytes = 0
  #loses_commit = false

  constructor(client: Socket, targets: readonly Target[], state: LineState) {
    this.#client = client
    this.#state = state
    client.pause()
    client.on('error', () => this.reset())
    client.once('close', () => {
      this.#upstream?.destroy()
    })
    this.#connect(targets)
  }

  reset(): void {
    this.#client.resetAndDestroy()
    this.#upstream?.destroy()
  }

  #connect([target, ...others]: readonly Target[]): void {
    if (target === undefined) {
      this.reset()
      return
    }
    const upstream = connect(target.port, target.host)
    upstream.once('error', () => this.#connect(others))
    upstream.once('connect', () => {
      upstream.removeAllListeners('error')
      upstream.on('error', () => this.reset())
      upstream.once('close', () => this.#client.destroy())
      if (this.#client.destroyed) upstream.destroy()
      this.#upstream = upstream
      this.#pass(this.#client, upstream, (chunk) => this.#asked(chunk))
      this.#pass(upstream, this.#client, (chunk) => this.#answered(chunk))
    })
  }

  /** In order, each chunk delayed by the latency at its arrival. */
  #pass(from: Socket, to: Socket, mayPass: (chunk: Buffer) => boolean): void {
    let due = 0
    from.on('data', (chunk: Buffer) => {
      const { latency_ms = 0, jitter_ms = 0 } = this.#state.weather
      const now = performance.now()
      const late_ms = latency_ms + this.#state.random.fraction() * jitter_ms
      due = Math.max(due, now + late_ms)
      const deliver = (): void => {
        if (!to.destroyed && mayPass(chunk)) to.write(chunk)
      }
      if (due - now < 1) deliver()
      else setTimeout(deliver, due - now)
    })
    from.resume()
  }

  #asked(chunk: Buffer): boolean {
    const { random, weather, counts } = this.#state
    if (this.#swallows() || this.#resets()) return false
    if ((weather.lost_commit_share ?? 0) > 0 && chunk.includes(COMMIT)) {
      this.#loses_commit = random.chance(weather.lost_commit_share ?? 0)
      if (this.#loses_commit) counts.lost_commits += 1
    }
    return true
  }

  #answered(chunk: Buffer): boolean {
    const { weather, counts } = this.#state
    if (this.#loses_commit) {
      this.reset()
      return false
    }
    if (this.#swallows() || this.#resets()) return false
    this.#answered_bytes += chunk.length
    if (this.#answered_bytes <= (weather.cut_after_bytes ?? Number.POSITIVE_INFINITY)) return true
    counts.cut += 1
    this.reset()
    return false
  }

  #swallows(): boolean {
    if (this.#state.weather.black_hole !== true) return false
    this.#state.counts.swallowed += 1
    return true
  }

  #resets(): boolean {
    if (!this.#state.random.chance(this.#state.weather.reset_share ?? 0)) return false
    this.#state.counts.reset += 1
    this.reset()
    return true
  }
}
