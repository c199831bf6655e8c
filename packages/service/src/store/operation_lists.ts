import type { GatewayOperation } from '../domain/operation.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from './keyset.ts'
import { OPERATION_COLUMNS } from './operations.ts'
import type { Tx } from './transaction.ts'
import { conditionsOf } from './visible.ts'

/** What was asked of the gateway: everything still open, or all about one object. */
export type OperationFilters = { open: true } | { subject_id: string }

const FILTERS = [['subject_id', 'subject_id = ?']] as const
const OPEN = `(
  select ${OPERATION_COLUMNS}
  from gapura.gateway_operation
  -- Few at any time, and the resolver's index has them all.
  where state in ('started', 'unknown')
) as operation`

/** A page of operations, newest first. For staff: it knows no owner. */
export async function listOperations(
  tx: Tx,
  filters: OperationFilters,
  request: PageRequest,
): Promise<Page<GatewayOperation>> {
  const source =
    'open' in filters
      ? { table: OPEN, columns: OPERATION_COLUMNS, conditions: [] }
      : {
          table: 'gapura.gateway_operation',
          columns: OPERATION_COLUMNS,
          conditions: conditionsOf(FILTERS, filters),
        }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<GatewayOperation>(text, values, { prepare: false }), request)
}
