// Lines of statements, the files they came in, and the days that are read.
import { NO_CONTENT } from '../../src/domain/statement.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  findImport,
  findImportByFingerprint,
  findMapping,
  listImports,
  listRefusals,
} from '../../src/store/statements/imports.ts'
import { insertLines, listLines, type LineFilters } from '../../src/store/statements/lines.ts'
import { failWindow, finishWindow, moveWindow } from '../../src/store/statements/windows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import type { PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

const first = { page_size: 20, cursor: null }
const WINDOW = 'statement_window_pkey'
const window = { source: 'history_api', day: '2026-01-31' } as const

const list = (filters: LineFilters) => async (tx: Tx) => await listLines(tx, filters, first)

const line = {
  ...NO_CONTENT,
  id: newId(),
  line_key: 'x',
  line_number: null,
  raw: {},
  content_sha256: 'x',
}

export const statementCases = (): PlanCase[] => [
  looks('lines, newest first', 'statement_line_list', list({})),
  looks('lines of a day', 'statement_line_day', list({ side: 'bank', day: '2026-01-31' })),
  looks('lines of an order', 'statement_line_order', list({ order_id: 'order-7' })),
  looks('lines of a reference', 'statement_line_reference', list({ reference: 'WLST1' })),
  looks('lines of a file', 'statement_line_import', list({ import_id: newId() })),
  writes('a line and its newest version', 'statement_line_version', (tx) =>
    insertLines(tx, { side: 'gateway', source: 'history_api', import_id: null, lines: [line] }),
  ),
  looks('an import', 'statement_import_pkey', (tx) => findImport(tx, newId())),
  looks('an import by its file', 'statement_import_fingerprint', (tx) =>
    findImportByFingerprint(tx, 'x'),
  ),
  looks('imports, newest first', 'statement_import_list', (tx) => listImports(tx, first)),
  looks('refused lines', 'statement_refusal_pkey', (tx) => listRefusals(tx, newId())),
  looks('a mapping', 'statement_mapping_pkey', (tx) => findMapping(tx, 'daily')),
  writes('go on in a day', WINDOW, (tx) =>
    moveWindow(tx, window, { page: 1, pass: 0, pass_changes: 1, lease_ms: 1 }),
  ),
  writes('a day was read', WINDOW, (tx) => finishWindow(tx, window, null)),
  writes('a day was not read', WINDOW, (tx) => failWindow(tx, window, { error: 'x', wait_ms: 1 })),
]
