import { SIGNALS, type Signal } from 'gapura'
import { INVOICE_SCENARIOS } from './invoice_scenarios.ts'
import { PAYMENT_SCENARIOS } from './payment_scenarios.ts'
import type { Scenario } from './scenario.ts'
import { SUBSCRIPTION_SCENARIOS } from './subscription_scenarios.ts'

/** Every signal and how to cause it. */
export const SCENARIOS: Readonly<Record<Signal, Scenario>> = {
  ...PAYMENT_SCENARIOS,
  ...INVOICE_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
}

export const isSignal = (word: string): word is Signal =>
  (SIGNALS as readonly string[]).includes(word)
