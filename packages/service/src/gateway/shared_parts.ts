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
  readonly resilience: Resilience
  readonly caller: Caller
  /** Our keys, which no webhook may bring into the database. */
  readonly keys: readonly Needle[]

  constructor(given: GatewaySettings) {
    const settings = resolveSettings(given)
    const { connections_max, server_keys } = settings
    this.settings = settings
    this.keys = needlesOf(server_keys.map((key) => key.reveal()))
    this.transport = new Transport(settings)
    const { base_url, page_url } = settings
    this.page_transport =
      page_url === base_url ? this.transport : new Transport({ ...settings, base_url: page_url })
    this.resilience = new Resilience({ ...settings, concurrent_max: connections_max })
    const { transport, page_transport, resilience } = this
    const parts = { ...settings, transport, page_transport, resilience, server_key: server_keys[0] }
    this.caller = new Caller(parts, SERVICE_OWNER)
  }
}
