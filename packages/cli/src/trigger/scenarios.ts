import { SIGNALS, type Signal } from 'gapura'
import { CHECKOUT_SCENARIOS } from './checkout_scenarios.ts'
import { INVOICE_SCENARIOS } from './invoice_scenarios.ts'
import { PAYMENT_SCENARIOS } from './payment_scenarios.ts'
import type { Scenario } from './scenario.ts'
import { SUBSCRIPTION_SCENARIOS } from './subscription_scenarios.ts'

/** A page ends by the clock alone, after five minutes at the earliest. */
export type Triggered = Exclude<Signal, 'checkout_expired'>

/** Every signal that can be caused at once, and how. */
export const SCENARIOS: Readonly<Record<Triggered, Scenario>> = {
  ...PAYMENT_SCENARIOS,
  ...INVOICE_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...CHECKOUT_SCENARIOS,
}

export const isSignal = (word: string): word is Triggered => word in SCENARIOS

export const TRIGGERED: readonly Triggered[] = SIGNALS.filter(isSignal)
