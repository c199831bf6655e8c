// Reads the simulator's ledger, which the service cannot write to, through the control API.
import type { LedgerOrder } from 'gapura'

const AMOUNTS = ['charges', 'captured', 'refunded', 'reversed', 'fees'] as const

type Fields = Record<string, unknown>

const PAGE = 1_000
const TIMEOUT_MS = 30_000

/** Every order of the ledger with its status and amounts. */
export async function readLedger(url: string): Promise<Map<string, LedgerOrder>> {
  const read = async (path: string): Promise<Fields> => {
    const address = `${url.replace(/\/+$/, '')}/_sim/${path}`
    const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return fieldsOf(await reply.json())
  }
  const orders = fieldsOf((await read('ledger/summary'))['orders'])
  const found = new Map<string, LedgerOrder>()
  for (let after = 0; ; after += PAGE) {
    const { transactions } = await read(`transactions?after=${after}&limit=${PAGE}`)
    const page = Array.isArray(transactions) ? transactions.map(fieldsOf) : []
    for (const { order_id, transaction_status } of page) {
      const totals = orders[String(order_id)]
      if (totals === undefined) continue
      found.set(String(order_id), orderOf(fieldsOf(totals), String(transaction_status)))
    }
    if (page.length < PAGE) return found
  }
}

function orderOf(totals: Fields, transaction_status: string): LedgerOrder {
  const [charges = 0, captured = 0, refunded = 0, reversed = 0, fees = 0] = AMOUNTS.map((name) =>
    Number(totals[name]),
  )
  return { transaction_status, charges, captured, refunded, reversed, fees }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null)
    throw new Error("the simulator's reply is not an object")
  return { ...value }
}
