// Calls to the gateway and its notifications: when each arrives, is lost, or comes twice.
import {
  NoReply,
  type HttpReply,
  type HttpRequest,
} from '../../packages/service/src/gateway/transport.ts'
import { digest } from './label.ts'
import type { FaultName } from './faults.ts'
import type { Action } from './pace.ts'
import type { Pauses } from './pauses.ts'
import type { Random } from '../bench/random.ts'
import { current, type Owner, type VirtualClock } from './virtual.ts'

const NOTICES_LOST_MAX = 4
const NOTICE_ATTEMPTS_MAX = 8
/** A query may be answered as of so long ago; the service believes what it lacks after a minute. */
const REPLICA_BEHIND_MS_MAX = 30_000
const STATUS_PATH = /^\/v2\/([^/]+)\/status$/
const CHARGE_PATH = '/v2/charge'
const ORDER_ID = /"order_id":"([^"]+)"/

interface GatewayCall {
  owner: Owner
  begun: number
  request: HttpRequest
  reply?: HttpReply
  resolve: (reply: HttpReply) => void
  reject: (error: NoReply) => void
}

export interface Notice {
  order_id: string
  status: string
  body: string
  attempts: number
}

/** The part of a run that traffic and receivers need. */
export interface Course {
  callers: Owner
  clock: VirtualClock
  random: Random
  pauses: Pick<Pauses, 'pauseAny'>
  happens: (fault: FaultName, has_effect?: boolean) => boolean
  note: (owner: Pick<Owner, 'name'>, what: string) => void
}

/** A call as it reaches the gateway. */
export interface SentCall {
  request: HttpRequest
  /** When the process made it, and when it arrives. */
  begun: number
  now: number
  /** When an earlier call with the same key was made that has no answer yet. */
  in_flight_since: number | undefined
}

export interface TrafficOrder {
  /** Sends a request to the simulator at once. */
  callGateway: (request: HttpRequest) => Promise<HttpReply>
  /** Gives a notification to a process; resolves with the status of its answer. */
  notify: (notice: Notice) => Promise<number | undefined>
  /** Called before a request reaches the gateway. */
  observe: (sent: SentCall) => Promise<void>
  /** Called when a request does not reach it. */
  unreached: (request: HttpRequest) => void
}

/** The key under which the gateway recognises a repeated call. */
export const wireKeyOf = ({ headers }: HttpRequest): string | undefined =>
  headers['Idempotency-Key'] ?? headers['X-Idempotency-Key']

export class GatewayTraffic {
  readonly #sim: Course
  readonly #order: TrafficOrder
  #calls: GatewayCall[] = []
  #notices: Notice[] = []
  /** Given to a process that has not answered yet. */
  #notices_in_hand = 0
  readonly #charged_at = new Map<string, number>()
  readonly #answers = new Map<string, { at: number; reply: HttpReply }[]>()
  /** Every notification of the run, for late copies. */
  readonly received: Notice[] = []
  /** Notifications wait, to arrive together when the rush begins or after it. */
  held: 'no' | 'to the rush' | 'to the end' = 'no'
  /** Queries show no charge that is younger. */
  hidden_ms = 0
  /** Until then no call is answered. */
  away_until = 0
  /** Whether it does the work of the calls whose answers are lost until then. */
  away_works = false

  constructor(sim: Course, order: TrafficOrder) {
    this.#sim = sim
    this.#order = order
  }

  actions(): Action[] {
    return [
      ...this.#calls
        .filter(
          ({ owner, reply }) => reply === undefined || owner.paused_until <= this.#sim.clock.now,
        )
        .map((call) => ({
          of: `gateway ${call.owner.name}`,
          run: async () => await this.#stepCall(call),
        })),
      ...(this.held === 'no' ? this.#notices : []).map((notice) => ({
        of: `notice ${notice.order_id} ${notice.status}`,
        run: () => this.#stepNotice(notice),
      })),
    ]
  }

  /** A gateway call of the process whose code runs now. */
  async call(request: HttpRequest): Promise<HttpReply> {
    const owner = current.getStore() ?? this.#sim.callers
    return await new Promise((resolve, reject) => {
      const call: GatewayCall = { owner, request, resolve, reject, begun: this.#sim.clock.now }
      this.#calls.push(call)
      this.#sim.clock.set(owner, request.timeout_ms, () => {
        if (this.#end(call)) reject(new NoReply(true, 'UND_ERR_HEADERS_TIMEOUT'))
      })
    })
  }

  receive(notice: Notice): void {
    this.#notices.push(notice)
    this.received.push({ ...notice })
  }

  /** Whether the call was still open. */
  #end(call: GatewayCall): boolean {
    const open = this.#calls.includes(call)
    this.#calls = this.#calls.filter((one) => one !== call)
    return open
  }

  async #stepCall(call: GatewayCall): Promise<void> {
    const { owner, request, reply } = call
    const label = `${request.method} ${request.path}`
    if (reply !== undefined) {
      this.#end(call)
      const lost = owner.alive && this.#sim.happens('gateway reply lost after the work')
      this.#sim.note(owner, `  ← gateway ${lost ? 'reply lost' : reply.http_status} ${label}`)
      if (!owner.alive) return
      if (lost) call.reject(new NoReply(true, 'UND_ERR_SOCKET'))
      else call.resolve(reply)
      return
    }
    if (this.#sim.happens('gateway cannot be reached')) {
      this.#sim.note(owner, `gateway not reached ${label}`)
      this.#order.unreached(request)
      this.#end(call)
      call.reject(new NoReply(false, 'ECONNREFUSED'))
      return
    }
    // The process has ended the connection, or would have: what is under way does not arrive later.
    if (this.#sim.clock.now - call.begun > request.timeout_ms) {
      this.#sim.note(owner, `gateway call too late ${label}`)
      this.#end(call)
      call.reject(new NoReply(true, 'UND_ERR_HEADERS_TIMEOUT'))
      return
    }
    await this.#order.observe(this.#sentCall(call))
    const away = this.#sim.clock.now < this.away_until
    if (away && this.away_works && request.method !== 'GET') await this.#reply(request)
    if (away || this.#sim.happens('gateway call lost before the work')) {
      this.#sim.note(owner, `gateway call lost ${label}`)
      this.#end(call)
      call.reject(new NoReply(true, 'UND_ERR_SOCKET'))
    } else if (this.#sim.happens('gateway answers 500 without the work')) {
      this.#sim.note(owner, `gateway fails ${label}`)
      call.reply = { http_status: 500, body: '{"status_code":"500"}', retry_after_s: null }
    } else {
      call.reply = await this.#reply(request)
      this.#sim.note(owner, `gateway ${label} ${digest(request.body ?? '')}`)
      if (this.#sim.happens('process pauses before a reply of the gateway', owner.alive))
        this.#sim.pauses.pauseAny(this.#sim.random, [owner])
      if (request.method === 'GET') return
      if (this.#sim.happens('gateway answers 500 after the work', owner.alive))
        call.reply = { http_status: 500, body: '{"status_code":"500"}', retry_after_s: null }
      else if (this.#sim.happens('proxy answers 502 after the work', owner.alive))
        call.reply = { http_status: 502, body: '<html>502</html>', retry_after_s: null }
    }
  }

  #sentCall(call: GatewayCall): SentCall {
    const key = wireKeyOf(call.request)
    const earlier = this.#calls.find(
      (one) => one !== call && key !== undefined && wireKeyOf(one.request) === key,
    )
    const { request, begun } = call
    return { request, begun, now: this.#sim.clock.now, in_flight_since: earlier?.begun }
  }

  /** What the gateway answers, to a query perhaps as of half a minute ago. */
  async #reply(request: HttpRequest): Promise<HttpReply> {
    const { now } = this.#sim.clock
    const { method, path, body } = request
    const id = method === 'GET' ? STATUS_PATH.exec(path)?.[1] : undefined
    if (id === undefined) {
      const reply = await this.#order.callGateway(request)
      const order_id = path === CHARGE_PATH ? ORDER_ID.exec(body ?? '')?.[1] : undefined
      if (order_id !== undefined && !this.#charged_at.has(order_id))
        this.#charged_at.set(order_id, now)
      return reply
    }
    const charged_at = this.#charged_at.get(decodeURIComponent(id)) ?? 0
    if (
      now - charged_at < this.hidden_ms ||
      (now - charged_at < REPLICA_BEHIND_MS_MAX &&
        this.#sim.happens('gateway does not show a charge yet'))
    )
      return await this.#order.callGateway({ ...request, path: '/v2/not-shown-yet/status' })
    const earlier = (this.#answers.get(path) ?? []).filter(
      ({ at }) => now - at < REPLICA_BEHIND_MS_MAX,
    )
    const [oldest] = earlier
    const reply = await this.#order.callGateway(request)
    const is_old = oldest !== undefined && oldest.reply.body !== reply.body
    if (oldest !== undefined && this.#sim.happens('gateway answers from a slow replica', is_old))
      return oldest.reply
    this.#answers.set(path, [...earlier, { at: now, reply }])
    return reply
  }

  #stepNotice(notice: Notice): void {
    const lost = notice.attempts < NOTICES_LOST_MAX && this.#sim.happens('notification lost')
    const { order_id, status } = notice
    if (lost) {
      notice.attempts += 1
      this.#sim.note({ name: 'gateway' }, `notification of ${order_id} ${status} lost`)
      return
    }
    if (this.#sim.happens('notification doubled')) notice.attempts += 1
    else this.#notices = this.#notices.filter((one) => one !== notice)
    this.#sim.note({ name: 'gateway' }, `notifies ${order_id} ${status}`)
    this.#notices_in_hand += 1
    const repeat = (answer: number | undefined): void => {
      this.#notices_in_hand -= 1
      const again = (answer === undefined || answer >= 300) && notice.attempts < NOTICE_ATTEMPTS_MAX
      if (!again || this.#notices.includes(notice)) return
      notice.attempts += 1
      this.#notices.push(notice)
    }
    void this.#order.notify(notice).then(repeat, () => repeat(undefined))
  }

  get open_notices(): number {
    return this.#notices.length + this.#notices_in_hand
  }
}
