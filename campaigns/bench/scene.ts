// What the stories of the load share.
import type { Client } from './client.ts'
import type { Deployment } from './deployment.ts'
import type { CampaignCaller } from './intents.ts'
import type { Random } from './random.ts'

/** Everything a story needs. */
export interface Scene {
  deployment: Deployment
  client: Pick<Client, 'wish'>
  random: Random
  subscriptions: boolean
  checkouts: boolean
  /** Whether a request may be repeated while it is under way. */
  concurrent_repeats: boolean
  /** No new step is begun. */
  isOver: () => boolean
}

/** An acknowledged payment, and its caller. */
export interface Charged {
  id: string
  order_id: string
  payment_type: string
  caller: CampaignCaller
}

/** One of the names by its share, or undefined for the rest. */
export function picked<Name extends string>(
  random: Random,
  shares: Readonly<Record<Name, number>>,
): Name | undefined {
  let left = random.fraction()
  for (const name of Object.keys(shares) as Name[]) {
    left -= shares[name]
    if (left < 0) return name
  }
  return undefined
}
