// Calls to the gateway and its notifications: when each arrives, is lost, or comes twice.
import {
  NoReply,
  type HttpReply,
  type HttpRequest,
} from '../../packages/service/src/gateway/transport.ts'
import { digest } from './label.ts'
import type { FaultName } from './faults.ts'
import { current, type Owner, type VirtualClock } from './virtual.ts'

const NOTICES_LOST_MAX = 4
const NOTICE_ATTEMPTS_MAX = 8

interface GatewayCall {
  owner: Owner
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

/** One of the things that could happen next. */
export type Action = () => Promise<void> | void

/** The part of a run that traffic needs. */
interface Course {
  callers: Owner
  clock: VirtualClock
  happens: (fault: FaultName) => boolean
  note: (owner: Pick<Owner, 'name'>, what: string) => void
}

export interface TrafficOrder {
  /** Sends a request to the simulator at once. */
  callGateway: (request: HttpRequest) => Promise<HttpReply>
  /** Gives a notification to a process; resolves with the status of its answer. */
  notify: (notice: Notice) => Promise<number | undefined>
}

export class GatewayTraffic {
  readonly #sim: Course
  readonly #order: TrafficOrder
  #calls: GatewayCall[] = []
  #notices: Notice[] = []

  constructor(sim: Course, order: TrafficOrder) {
    this.#sim = sim
    this.#order = order
  }

  actions(): Action[] {
    return [
      ...this.#calls.map((call) => async () => await this.#stepCall(call)),
      ...this.#notices.map((notice) => () => this.#stepNotice(notice)),
    ]
  }

  /** A gateway call of the process whose code runs now. */
  async call(request: HttpRequest): Promise<HttpReply> {
    const owner = current.getStore() ?? this.#sim.callers
    return await new Promise((resolve, reject) => {
      const call: GatewayCall = { owner, request, resolve, reject }
      this.#calls.push(call)
      this.#sim.clock.set(owner, request.timeout_ms, () => {
        if (this.#end(call)) reject(new NoReply(true, 'UND_ERR_HEADERS_TIMEOUT'))
      })
    })
  }

  receive(notice: Notice): void {
    this.#notices.push(notice)
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
    if (this.#sim.happens('gateway call lost before the work')) {
      this.#sim.note(owner, `gateway call lost ${label}`)
      this.#end(call)
      call.reject(new NoReply(true, 'UND_ERR_SOCKET'))
    } else if (this.#sim.happens('gateway answers 500 without the work')) {
      this.#sim.note(owner, `gateway fails ${label}`)
      call.reply = { http_status: 500, body: '{"status_code":"500"}', retry_after_s: null }
    } else {
      call.reply = await this.#order.callGateway(request)
      this.#sim.note(owner, `gateway ${label} ${digest(request.body ?? '')}`)
    }
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
    const repeat = (answer: number | undefined): void => {
      const again = (answer === undefined || answer >= 300) && notice.attempts < NOTICE_ATTEMPTS_MAX
      if (!again || this.#notices.includes(notice)) return
      notice.attempts += 1
      this.#notices.push(notice)
    }
    void this.#order.notify(notice).then(repeat, () => repeat(undefined))
  }

  get waiting_notices(): number {
    return this.#notices.length
  }
}
