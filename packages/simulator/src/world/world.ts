import { Courier } from '../notify/courier.ts'
import { MINUTE_MS } from '../wire/times.ts'
import type { Account } from './account.ts'
import { TransactionIndex } from './transaction_index.ts'
import { Balance } from './balance.ts'
import { CheckoutIndex } from './checkout.ts'
import { Clock } from './clock.ts'
import { Faults } from './faults.ts'
import { IdempotencyKeys } from './idempotency.ts'
import type { Invoice } from './invoice.ts'
import { Ledger } from './ledger.ts'
import type { Payout } from './payout.ts'
import { Random } from './random.ts'
import type { Settings } from './settings.ts'
import type { Subscription } from './subscription.ts'
import { Vault } from './vault.ts'

/** What a reset keeps. */
export interface WorldOptions {
  settings: Settings
  seed: number
  frozen: boolean
  start?: number | undefined
  /** The simulator's own address, for the links in replies. */
  base_url: string
}

/** Everything the simulator knows. Handlers are functions over it; a reset makes a new one. */
export interface World {
  clock: Clock
  random: Random
  transactions: TransactionIndex
  ledger: Ledger
  faults: Faults
  courier: Courier
  settings: Settings
  vault: Vault
  accounts: Map<string, Account>
  subscriptions: Map<string, Subscription>
  invoices: Map<string, Invoice>
  invoice_order_ids: Set<string>
  /** Invoices by the virtual account a payer types in. */
  invoice_numbers: Map<string, Invoice>
  checkouts: CheckoutIndex
  keys: IdempotencyKeys
  invoice_keys: IdempotencyKeys
  subscription_keys: IdempotencyKeys
  /** Requests to the BIN API in the running minute. */
  bin_requests: { minute: number; count: number }
  /** What the gateway owes the merchant. */
  balance: Balance
  payouts: Map<string, Payout>
  /** Access tokens of BI-SNAP, with the time at which each ends. */
  access_tokens: Map<string, number>
  /** External ids of BI-SNAP calls, by day: each counts once. */
  external_ids: Set<string>
  base_url: string
  seed: number
}

/** Builds a world with no transactions. */
export function createWorld({ settings, seed, frozen, start, base_url }: WorldOptions): World {
  const clock = new Clock({ frozen, start })
  const now = (): number => clock.now()
  // Faults and retry waits draw from streams of their own: adding one must not change the ids.
  const faults = new Faults(new Random(seed ^ 0x0fa17))
  const courier = new Courier({
    clock,
    faults,
    random: new Random(seed ^ 0x2e7),
    timeout_ms: () => settings.notification_timeout_ms,
  })
  return {
    clock,
    random: new Random(seed),
    transactions: new TransactionIndex(),
    ledger: new Ledger(now),
    faults,
    courier,
    settings,
    vault: new Vault(now),
    accounts: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    invoice_order_ids: new Set(),
    invoice_numbers: new Map(),
    checkouts: new CheckoutIndex(),
    keys: new IdempotencyKeys(now, 5 * MINUTE_MS),
    invoice_keys: new IdempotencyKeys(now, 5 * MINUTE_MS),
    subscription_keys: new IdempotencyKeys(now, 3 * MINUTE_MS),
    bin_requests: { minute: 0, count: 0 },
    balance: new Balance(),
    payouts: new Map(),
    access_tokens: new Map(),
    external_ids: new Set(),
    base_url,
    seed,
  }
}
