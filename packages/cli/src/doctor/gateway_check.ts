import { randomUUID } from 'node:crypto'
import { GatewayClient, GatewayError, readConfig } from 'gapura'
import type { Environment } from '../command.ts'
import { fail, ok, skip, type Check } from './check.ts'

const TIMEOUT_MS = 5_000

export interface GatewayChecked {
  checks: Check[]
  /** The gateway's clock from its Date header, and the time of the request. */
  clock: { server: Date; asked: Date } | null
}

/** Whether the gateway replies and accepts our key; asks for an order that does not exist. */
export async function checkGateway(
  environment: Environment,
  sound: boolean,
): Promise<GatewayChecked> {
  if (!sound) return { checks: [skip('gateway', 'needs settings without faults')], clock: null }
  const { gateway } = readConfig(environment).gapura
  const client = new GatewayClient({ ...gateway, timeout_ms_max: TIMEOUT_MS })
  try {
    await client.getStatus(`gapura-doctor-${randomUUID()}`)
    return { checks: [ok('gateway', 'reachable, key accepted')], clock: null }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const checks = [verdict(error)]
    return { checks, clock: await clockOf(gateway.base_url ?? addressOf(gateway.is_production)) }
  } finally {
    await client.close()
  }
}

const addressOf = (production = false): string =>
  production ? 'https://api.midtrans.com' : 'https://api.sandbox.midtrans.com'

function verdict(error: GatewayError): Check {
  if (error.code === 'gateway_not_found') return ok('gateway', 'reachable, key accepted')
  if (error.code === 'gateway_authentication_failed') {
    const remedy =
      'Copy GATEWAY_SERVER_KEY from the gateway’s dashboard, of the environment GATEWAY_IS_PRODUCTION says.'
    return fail('gateway', 'reachable, and it refuses our server key', remedy)
  }
  const detail = `not usable: ${error.message} (${error.code})`
  return fail(
    'gateway',
    detail,
    'Check the network from this machine, proxies, and GATEWAY_BASE_URL.',
  )
}

async function clockOf(url: string): Promise<GatewayChecked['clock']> {
  try {
    const begun = Date.now()
    const reply = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const server = new Date(reply.headers.get('date') ?? Number.NaN)
    if (Number.isNaN(server.getTime())) return null
    return { server, asked: new Date((begun + Date.now()) / 2) }
  } catch {
    return null
  }
}
