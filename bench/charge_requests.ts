// Charges as a careful client sends them: with its own order id and an idempotency key.
import { createGapura } from 'gapura'
import type { LoadRequest } from './load_child.ts'
import { serviceOrder, type Stage } from './stage.ts'

const inputOf = (order_id: string): object => ({
  order_id,
  payment_type: 'bank_transfer',
  bank: 'bca',
  gross_amount: 150_000,
  customer_details: { first_name: 'Ani', email: 'ani@example.com', phone: '081111111111' },
  item_details: [{ id: 'i-1', name: 'Tea', price: 75_000, quantity: 2 }],
})

export const ordersOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

/** The order id is the key as well, so that each row can be found by what was sent. */
export const chargesOf = (orders: readonly string[]): LoadRequest[] =>
  orders.map((order_id) => ({
    path: '/charge/',
    headers: { 'idempotency-key': order_id },
    body: JSON.stringify(inputOf(order_id)),
  }))

/** The header of a caller who may charge. */
export async function callerOf(stage: Pick<Stage, 'url' | 'schema'>, owner_id: string) {
  const [header] = await callersOf(stage, [owner_id])
  return { authorization: header ?? '' }
}

/** The same for many owners. */
export async function callersOf(
  stage: Pick<Stage, 'url' | 'schema'>,
  owners: readonly string[],
): Promise<string[]> {
  const gapura = createGapura(serviceOrder(stage))
  try {
    return await Promise.all(
      owners.map(async (owner_id) => {
        const scopes = ['payments:write', 'payments:refund'] as const
        const { key } = await gapura.createApiKey({ owner_id, staff: false, scopes, name: 'bench' })
        return `Bearer ${key}`
      }),
    )
  } finally {
    await gapura.close()
  }
}
