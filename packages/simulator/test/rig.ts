import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../src/index.ts'

export type Body = Record<string, unknown>

/** A string of a reply; a test that reads what is not there should fail at that line. */
export function textOf(body: Body, key: string): string {
  const value = body[key]
  if (typeof value !== 'string') throw new Error(`${key} is ${JSON.stringify(value)}`)
  return value
}

export const idOf = (body: Body): string => textOf(body, 'transaction_id')

/** A list of objects of a reply. */
export const listOf = (body: Body, key: string): Body[] => (body[key] ?? []) as Body[]

export interface Answer {
  http_status: number
  headers: Headers
  body: Body
  text: string
}

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Body
}

/** A merchant's webhook that records every request and replies as the test says. */
export class Receiver {
  received: Received[] = []
  /** What to answer next: a code, a redirect, or nothing at all. */
  answer: (received: Received) => { status: number; location?: string; body?: string } | 'never' =
    () => ({
      status: 200,
    })
  url = ''
  #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body,
        }
        this.received.push(received)
        const answer = this.answer(received)
        if (answer === 'never') return
        response.writeHead(answer.status, answer.location ? { location: answer.location } : {})
        response.end(answer.body ?? 'ok')
      })
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  statuses(): string[] {
    return this.received.map(({ body }) => String(body['transaction_status']))
  }
}

/** 12:00 in Jakarta on an ordinary Monday: far from every window and cut-off. */
const NOON_WIB = Date.UTC(2026, 0, 5, 5, 0, 0)

/** A simulator with a frozen clock and a webhook, emptied before each test. */
export class Rig {
  simulator: Simulator | undefined
  hook = new Receiver()
  #options: SimulatorOptions

  constructor(options: SimulatorOptions = {}) {
    this.#options = options
  }

  install(): this {
    beforeAll(async () => {
      await this.hook.start()
      this.simulator = await createSimulator({
        port: 0,
        seed: 1,
        frozen_clock: true,
        start_time: NOON_WIB,
        notification_url: `${this.hook.url}/payment`,
        recurring_notification_url: `${this.hook.url}/recurring`,
        pay_account_notification_url: `${this.hook.url}/account`,
        ...this.#options,
      })
    })
    beforeEach(async () => {
      // What the last test left under way must not arrive in this one.
      this.hook.answer = () => ({ status: 200 })
      await this.quiet()
      await this.sim('POST /_sim/reset')
      this.hook.received = []
    })
    afterAll(async () => {
      await this.simulator?.close()
      await this.hook.stop()
    })
    return this
  }

  get url(): string {
    if (!this.simulator) throw new Error('the rig has not started')
    return this.simulator.url
  }

  /** A call of the wire with the server key. */
  async wire(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const key = Buffer.from('SB-Mid-server-simulator:').toString('base64')
    return await this.#send(route, body, { authorization: `Basic ${key}`, ...headers })
  }

  /** A call of the control API; anything but a success fails the test. */
  async sim(route: string, body?: unknown): Promise<Body> {
    const answer = await this.#send(route, body, {})
    if (answer.http_status >= 300) throw new Error(`${route}: ${answer.text}`)
    return answer.body
  }

  async refusedBySim(route: string, body?: unknown): Promise<Answer> {
    const answer = await this.#send(route, body, {})
    if (answer.http_status < 400) throw new Error(`${route} was not refused`)
    return answer
  }

  async advance(by: Body): Promise<void> {
    await this.sim('POST /_sim/clock/advance', by)
  }

  /** Waits until everything due now was sent. */
  async quiet(): Promise<void> {
    await this.advance({ seconds: 0 })
  }

  async charge(order_id: string, fields: Body, headers?: Record<string, string>): Promise<Body> {
    const { gross_amount = 44_000, ...rest } = fields
    const transaction_details = { order_id, gross_amount: gross_amount as number }
    return (await this.wire('POST /v2/charge', { transaction_details, ...rest }, headers)).body
  }

  async status(id: string): Promise<Body> {
    return (await this.wire(`GET /v2/${id}/status`)).body
  }

  async token(card_number = '4811111111111114'): Promise<string> {
    const query = `client_key=SB-Mid-client-simulator&card_number=${card_number}&card_exp_month=12&card_exp_year=2030&card_cvv=123`
    const answer = await this.wire(`GET /v2/token?${query}`)
    return textOf(answer.body, 'token_id')
  }

  /** Charges a sandbox card. */
  async card(order_id: string, card: Body = {}, card_number?: string): Promise<Body> {
    const token_id = await this.token(card_number)
    return await this.charge(order_id, {
      payment_type: 'credit_card',
      credit_card: { token_id, ...card },
    })
  }

  async act(id: string, action: string, body?: Body): Promise<Body> {
    return await this.sim(`POST /_sim/transactions/${id}/${action}`, body ?? {})
  }

  async fault(rule: Body): Promise<Body> {
    return await this.sim('POST /_sim/faults', rule)
  }

  async money(order_id: string): Promise<[string, number][]> {
    const { entries } = await this.sim(
      `GET /_sim/ledger?kind=money&order_id=${order_id}&limit=1000`,
    )
    return (entries as Body[]).map((entry) => [String(entry['movement']), Number(entry['amount'])])
  }

  async #send(route: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const [method = 'GET', path = '/'] = route.split(' ')
    const reply = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { http_status: reply.status, headers: reply.headers, body: parsed(text), text }
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}

/** The smallest body that charges each payment type. */
export const BODIES: Record<string, Body> = {
  bca: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bca' } },
  bni: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bni' } },
  bri: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bri' } },
  cimb: { payment_type: 'bank_transfer', bank_transfer: { bank: 'cimb' } },
  permata: { payment_type: 'bank_transfer', bank_transfer: { bank: 'permata' } },
  echannel: {
    payment_type: 'echannel',
    echannel: { bill_info1: 'Payment:', bill_info2: 'Online purchase' },
  },
  indomaret: { payment_type: 'cstore', cstore: { store: 'indomaret', message: 'Hello' } },
  alfamart: { payment_type: 'cstore', cstore: { store: 'alfamart' } },
  gopay: { payment_type: 'gopay' },
  qris: { payment_type: 'qris', qris: { acquirer: 'gopay' } },
  shopeepay: { payment_type: 'shopeepay', shopeepay: { callback_url: 'https://shop.example/' } },
  ovo: { payment_type: 'ovo', ovo: { payer_phone_number: '081234567890' } },
  dana: { payment_type: 'dana' },
  akulaku: {
    payment_type: 'akulaku',
    customer_details: { first_name: 'Budi' },
    item_details: [{ id: '1', name: 'Shoes', price: 44_000, quantity: 1 }],
  },
  kredivo: {
    payment_type: 'kredivo',
    customer_details: { first_name: 'Budi' },
    item_details: [{ id: '1', name: 'Shoes', price: 44_000, quantity: 1 }],
  },
}
