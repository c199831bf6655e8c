import { SERVICE_OWNER } from '../domain/fair_queue.ts'
import { Caller } from './calls.ts'
import { needlesOf, type Needle } from './redaction.ts'
import { Resilience } from './resilience.ts'
import { resolveSettings, type GatewaySettings, type ResolvedSettings } from './settings.ts'
import { Transport } from './transport.ts'

/** What the clients of all owners share: settings, keys, connections, slots and the breaker. */
export class SharedParts {
  readonly settings: ResolvedSettings
  readonly transport: Transport
  readonly page_transport: Transport
  readonly merchant_transport: Transport
  readonly resilience: Resilience
  readonly caller: Caller
  /** Our keys, which no webhook may bring into the database. */
  readonly keys: readonly Needle[]

  constructor(given: GatewaySettings) {
    const settings = resolveSettings(given)
    const { connections_max, server_keys } = settings
    this.settings = settings
    const secret = settings.bi_snap?.client_secret
    const secrets = secret === undefined ? server_keys : [...server_keys, secret]
    this.keys = needlesOf(secrets.map((key) => key.reveal()))
    this.transport = new Transport(settings)
    this.page_transport = this.#transportTo(settings.page_url)
    this.merchant_transport = this.#transportTo(settings.merchant_url)
    this.resilience = new Resilience({ ...settings, concurrent_max: connections_max })
    const { transport, page_transport, merchant_transport, resilience } = this
    const parts = {
      ...settings,
      transport,
      page_transport,
      merchant_transport,
      resilience,
      server_key: server_keys[0],
    }
    this.caller = new Caller(parts, SERVICE_OWNER)
  }

  #transportTo(base_url: string): Transport {
    const { settings, transport } = this
    return base_url === settings.base_url ? transport : new Transport({ ...settings, base_url })
  }

  /** Lets running calls end, then closes the connections. */
  async close(): Promise<void> {
    const all = new Set([this.transport, this.page_transport, this.merchant_transport])
    await Promise.all([...all].map((one) => one.close()))
  }
}
