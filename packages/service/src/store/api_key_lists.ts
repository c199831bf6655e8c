import { API_KEY_COLUMNS, type ApiKey } from './api_keys.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from './keyset.ts'
import type { Tx } from './transaction.ts'

/** A page of every owner's keys, newest first, dead ones too. For staff: it knows no owner. */
export async function listAllApiKeys(tx: Tx, request: PageRequest): Promise<Page<ApiKey>> {
  const source = { table: 'gapura.api_key', columns: API_KEY_COLUMNS, conditions: [] }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<ApiKey>(text, values, { prepare: false }), request)
}
