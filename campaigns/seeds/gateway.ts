// The simulator in this process: calls of the service and its notifications are steps of a run.
import { Agent, request as httpRequest } from 'node:http'
import {
  NoReply,
  Transport,
  type HttpReply,
  type HttpRequest,
} from '../../packages/service/src/gateway/transport.ts'
import { GatewayWitness } from '../bench/gateway_witness.ts'
import type { Simulation } from './simulation.ts'

const agent = new Agent({ keepAlive: true })
export const NOTIFIED = 'http://seeds.invalid/notification/'

let active: Simulation | undefined

/** The run that the code of the logical processes belongs to. */
export function activate(simulation: Simulation | undefined): void {
  active = simulation
}

/** Calls to the gateway and its notifications go through the simulation of the run. */
export function installGateway(): void {
  Transport.prototype.send = async (request) => {
    if (active === undefined) throw new NoReply(false, 'ECONNREFUSED')
    return await active.traffic.call(request)
  }
  const real = globalThis.fetch
  globalThis.fetch = async (given, options) => {
    if (given !== NOTIFIED) return await real(given, options)
    const body = typeof options?.body === 'string' ? options.body : '{}'
    const { order_id, transaction_status } = JSON.parse(body) as Record<string, string>
    active?.traffic.receive({
      order_id: String(order_id),
      status: String(transaction_status),
      body,
      attempts: 0,
    })
    return new Response(null, { status: 200 })
  }
}

/** What the payer and the gateway's dashboard do is a step of the run. */
export class SimulatedWitness extends GatewayWitness {
  readonly acknowledged: string[] = []
  /** Of the notifications that were answered 200. */
  readonly bodies: string[] = []

  override async control(path: string, body: object = {}): Promise<Response> {
    if (active === undefined) return await super.control(path, body)
    return await active.outside(path, async () => await super.control(path, body))
  }

  override async acknowledgedNotifications(): Promise<string[]> {
    return await Promise.resolve(this.acknowledged)
  }
}

export async function callSimulator(
  simulator_url: string,
  { method, path, headers, body }: HttpRequest,
): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>()
  const url = `${simulator_url}${path}`
  const call = httpRequest(url, { method, headers, agent }, (reply) => {
    const chunks: Buffer[] = []
    reply.on('data', (chunk: Buffer) => chunks.push(chunk))
    reply.on('end', () =>
      resolve({
        http_status: reply.statusCode ?? 0,
        body: Buffer.concat(chunks).toString('utf8'),
        retry_after_s: null,
      }),
    )
  })
  call.on('error', reject)
  call.end(body ?? undefined)
  return await promise
}
