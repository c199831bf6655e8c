import { paramOf, type Call } from '../http/call.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'

/**
 * The transaction a path names, by its id or its order; DANA is found by its id alone
 * (gateway-protocol.md#field-conventions).
 */
export function transactionOf(world: World, call: Call): Transaction | undefined {
  const id = paramOf(call, 'id')
  const found = world.transactions.find(id)
  return found?.payment_type === 'dana' && found.transaction_id !== id ? undefined : found
}
