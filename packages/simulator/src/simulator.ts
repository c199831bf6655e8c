import { randomInt } from 'node:crypto'
import { createHttpServer } from './http/server.ts'
import { SECOND_MS } from './wire/times.ts'
import { BANK_HOLIDAYS } from './world/holidays.ts'
import type { BiSnapMerchant, Settings } from './world/settings.ts'
import { createWorld, type World } from './world/world.ts'

/** Everything has a default; a test usually wants port 0, a seed and a frozen clock. */
export interface SimulatorOptions {
  /** 0 lets the system choose. */
  port?: number
  host?: string
  server_key?: string
  client_key?: string
  merchant_id?: string
  notification_url?: string
  recurring_notification_url?: string
  pay_account_notification_url?: string
  /** The same seed and the same calls give the same ids, faults and retry times. */
  seed?: number
  /** Time stands still until the control API moves it. */
  frozen_clock?: boolean
  /** Where virtual time starts, in milliseconds; now, unless given. */
  start_time?: number
  /** The address to put in links, where it is not the one listened on. */
  public_url?: string
  notification_timeout_ms?: number
  /** What BI-SNAP calls are signed with; `POST /_sim/bi_snap/keys` makes a pair of keys. */
  bi_snap?: Partial<BiSnapMerchant>
}

/** A running simulator: address, keys and close function. */
export interface Simulator {
  url: string
  server_key: string
  client_key: string
  seed: number
  close: () => Promise<void>
}

const DEFAULT_PORT = 4010
const SEED_MAX = 0x7fff_ffff

const settingsOf = (options: SimulatorOptions): Settings => ({
  server_key: options.server_key ?? 'SB-Mid-server-simulator',
  client_key: options.client_key ?? 'SB-Mid-client-simulator',
  merchant_id: options.merchant_id ?? 'G000000001',
  notification_url: options.notification_url ?? '',
  recurring_notification_url: options.recurring_notification_url ?? '',
  pay_account_notification_url: options.pay_account_notification_url ?? '',
  channels_off: new Set(),
  balance: null,
  customer_fee: 0,
  point_balance: 100_000,
  invoice_order_id: 'suffixed',
  checkout_repeat: 'new',
  checkout_cancel: false,
  notification_timeout_ms: options.notification_timeout_ms ?? 15 * SECOND_MS,
  bi_snap: {
    client_id: 'G000000001-SNAP',
    client_secret: 'simulator-client-secret',
    partner_id: 'G000000001',
    public_key: '',
    ...options.bi_snap,
  },
  history_amount: 'net',
  holidays: new Set(BANK_HOLIDAYS),
})

/** Starts a separate gateway without any data, and resolves once it listens. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = DEFAULT_PORT, host = '127.0.0.1', frozen_clock = false } = options
  const first_seed = options.seed ?? randomInt(SEED_MAX)
  let base_url = ''
  const build = (seed: number): World =>
    createWorld({
      settings: settingsOf(options),
      seed,
      frozen: frozen_clock,
      start: options.start_time,
      base_url,
    })
  let world = build(first_seed)
  // Timers and sends from before the reset must not act after it.
  const end = (): void => {
    world.clock.close()
    world.courier.close()
  }
  const server = createHttpServer({
    world: () => world,
    reset: (seed) => {
      end()
      world = build(seed ?? first_seed)
    },
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, listening.resolve)
  await listening.promise
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  base_url = (options.public_url ?? `http://${host}:${bound}`).replace(/\/+$/, '')
  world.base_url = base_url
  const { server_key, client_key } = world.settings
  const close = async (): Promise<void> => {
    end()
    const closed = Promise.withResolvers<void>()
    server.close(() => {
      closed.resolve()
    })
    // Calls without a reply, caused by a fault, would otherwise keep the server open.
    server.closeAllConnections()
    await closed.promise
  }
  return { url: base_url, server_key, client_key, seed: first_seed, close }
}
