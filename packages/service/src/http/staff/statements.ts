// Statements of the gateway and the bank. In-process and on the command line: a file is larger than
// the body of any request.
import { HOLIDAY_INPUT, readHolidays, setHoliday } from '../../services/reconciliation/read.ts'
import { IMPORT_INPUT, importStatement } from '../../services/statements/import_file.ts'
import {
  IMPORT_QUERY,
  LINE_QUERY,
  listStatementImports,
  listStatementLines,
  parseImportQuery,
  parseLineQuery,
  readStatementImport,
} from '../../services/statements/read_imports.ts'
import { NEWEST_FIRST, pageFinder } from '../platform/list.ts'
import { inProcess } from '../platform/route.ts'

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

export const statements = {
  /** Stores the lines of a file once; lists those that could not be read. */
  importStatement: inProcess({
    method: 'POST',
    path: '/staff/statement_imports/',
    access: 'staff',
    scope: 'staff:act',
    input: IMPORT_INPUT,
    repeat: 'the same file again changes nothing.',
    run: async (ctx, { request, input }) => await importStatement(ctx, request, input),
  }),

  listStatementImports: inProcess({
    ...reading,
    path: '/staff/statement_imports/',
    query: IMPORT_QUERY,
    run: pageFinder({ cursors: NEWEST_FIRST, parse: parseImportQuery, find: listStatementImports }),
  }),

  getStatementImport: inProcess({
    ...reading,
    path: '/staff/statement_imports/{pk}/',
    run: async (ctx, { request, id }) => await readStatementImport(ctx, request.caller, id),
  }),

  listStatementLines: inProcess({
    ...reading,
    path: '/staff/statement_lines/',
    query: LINE_QUERY,
    run: pageFinder({ cursors: NEWEST_FIRST, parse: parseLineQuery, find: listStatementLines }),
  }),

  listBankHolidays: inProcess({
    ...reading,
    path: '/staff/bank_holidays/',
    run: async (ctx, { request }) => await readHolidays(ctx, request.caller),
  }),

  /** Says whether banks are closed on a day. */
  setBankHoliday: inProcess({
    method: 'POST',
    access: 'staff',
    scope: 'staff:act',
    path: '/staff/bank_holidays/',
    input: HOLIDAY_INPUT,
    repeat: 'the same day again changes nothing.',
    run: async (ctx, { request, input }) => await setHoliday(ctx, request.caller, input),
  }),
}
