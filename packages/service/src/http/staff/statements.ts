// Statements of the gateway and the bank: files are imported, and what they and the gateway say is
// listed (ADR 0032).
import {
  FILE_FORMATS,
  STATEMENT_KINDS,
  STATEMENT_SIDES,
  STATEMENT_SOURCES,
} from '../../domain/statement.ts'
import { HOLIDAY_INPUT, readHolidays, setHoliday } from '../../services/reconciliation/read.ts'
import { IMPORT_INPUT, importStatement } from '../../services/statements/import_file.ts'
import {
  COLUMNS,
  COLUMNS_INPUT,
  FILE_BODY_BYTES_MAX,
  listStatementMappings,
  MAPPING_INPUT,
  readStatementColumns,
  setStatementMapping,
} from '../../services/statements/mappings.ts'
import {
  IMPORT_QUERY,
  LINE_QUERY,
  listStatementImports,
  listStatementLines,
  parseImportQuery,
  parseLineQuery,
  readStatementImport,
} from '../../services/statements/read_imports.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { inProcess, route } from '../platform/route.ts'
import {
  anyObject,
  count,
  countOrNull,
  day,
  listOf,
  moneyOrNull,
  named,
  oneOf,
  orNull,
  pageOf,
  part,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  yesOrNo,
} from '../platform/schema.ts'

const IMPORT_FIELDS = {
  id: uuid('The id of the import.'),
  created_at: time('When it was imported.'),
  file_name: text('The name of the file.'),
  format: oneOf(FILE_FORMATS, 'What the file is.'),
  side: oneOf(STATEMENT_SIDES, 'Whose statement it is.'),
  bytes: count('The size of the file.'),
  lines_read: count('Lines of the file: new, known before and refused ones together.'),
  lines_new: count('Lines that were stored.'),
  lines_known: count('Lines that another file had before.'),
  lines_refused: count('Lines that could not be read.'),
  sha256: text('The SHA-256 of the file, in hex.'),
  fingerprint: text('Of the file, its format and its mapping: the same again is the same import.'),
  imported_by: text('The staff member who imported it.'),
  summary: anyObject(
    'What the file says of itself: account, opening_balance, closing_balance, balanced, other_lines.',
  ),
}

const IMPORT = named('StatementImport', IMPORT_FIELDS)

const IMPORTED = named('ImportedStatement', {
  ...IMPORT_FIELDS,
  repeated: yesOrNo('Whether the same file was imported before, so that nothing was changed.'),
})

const IMPORT_DETAIL = named('StatementImportDetail', {
  ...IMPORT_FIELDS,
  refusals: listOf(
    named('RefusedLine', {
      line_number: count('The number of the line in the file.'),
      reason: text('Why it could not be read.'),
      content: text('The line as it is in the file, cut to 2,000 characters.'),
    }),
    'The first 1,000 lines that could not be read.',
  ),
})

const LINE_PAGE = pageOf(
  'StatementLinePage',
  named('StatementLine', {
    id: uuid('The id of this version of the line.'),
    created_at: time('When it was read.'),
    import_id: uuidOrNull('The file that it came in; null: read from the gateway.'),
    line_number: countOrNull('The number of the line in its file.'),
    line_key: text('What the versions of one line have in common.'),
    version: count('From 1; a line that changed at its source has several.'),
    side: oneOf(STATEMENT_SIDES, 'Whose statement it is in.'),
    source: oneOf(STATEMENT_SOURCES, 'Where it was read.'),
    kind: oneOf(STATEMENT_KINDS, 'What it is about.'),
    day: orNull(day('A day.'), 'The day in Jakarta.'),
    occurred_at: timeOrNull('The time, where the source says it.'),
    amount: moneyOrNull('As the source signs it; at a bank, credit is positive.'),
    fee: moneyOrNull('The fee, where the source says it.'),
    balance: moneyOrNull('The balance after the line, where the source says it.'),
    currency: textOrNull('The currency.'),
    status: textOrNull('The status, in the words of the source.'),
    account: textOrNull('The account.'),
    order_id: textOrNull('The order that it is about.'),
    transaction_id: textOrNull('The id of the gateway’s that it is about.'),
    reference: textOrNull('The reference; that of a payout begins with WLST.'),
    channel: textOrNull('The payment method, in the words of the source.'),
    description: textOrNull('The description.'),
    raw: anyObject('The whole line, as it was read.'),
  }),
)

const SHOWN_COLUMNS = titled('StatementColumns', COLUMNS)

const MAPPING = named('StatementMapping', {
  name: text('Its name.'),
  columns: part(SHOWN_COLUMNS, 'The name of the column of each field.'),
  updated_at: time('When it was stored.'),
  updated_by: text('The staff member who stored it.'),
})

const FILE_COLUMNS = named('StatementFileColumns', {
  columns: listOf(text('The name of a column.'), 'The columns of the file, in its order.'),
  samples: listOf(
    listOf(text('A value.'), 'The values of a line, in the order of the columns.'),
    'The first lines.',
  ),
  known: part(SHOWN_COLUMNS, 'The fields whose columns are known by their names.'),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const
const acting = { method: 'POST', access: 'staff', scope: 'staff:act' } as const

export const statements = {
  /** Stores the lines of a file once; lists those that could not be read. */
  importStatement: route({
    ...acting,
    path: '/staff/statements/',
    operation: 'upload_staff_statement',
    summary: 'Import a statement of the bank or an export of the gateway’s portal',
    input: titled('StatementImportInput', IMPORT_INPUT),
    body_bytes_max: FILE_BODY_BYTES_MAX,
    reply: IMPORTED,
    errors: ['invalid_request'],
    repeat: 'the same file again changes nothing.',
    run: async (ctx, { request, input }) => await importStatement(ctx, request, input),
  }),

  listStatementImports: listRoute(
    {
      path: '/staff/statements/',
      operation: 'list_staff_statements',
      summary: 'List the imported files, newest first',
      access: 'staff',
      scope: 'staff:read',
      query: IMPORT_QUERY,
      reply: pageOf('StatementImportPage', IMPORT),
    },
    { cursors: NEWEST_FIRST, parse: parseImportQuery, find: listStatementImports },
  ),

  listStatementLines: listRoute(
    {
      path: '/staff/statements/lines/',
      operation: 'list_staff_statement_lines',
      summary: 'List the lines of statements, of one file, day, order or reference',
      access: 'staff',
      scope: 'staff:read',
      query: LINE_QUERY,
      reply: LINE_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseLineQuery, find: listStatementLines },
  ),

  listStatementMappings: route({
    ...reading,
    path: '/staff/statements/mappings/',
    operation: 'list_staff_statement_mappings',
    summary: 'List which column of a portal’s export is which field',
    reply: named('StatementMappings', { mappings: listOf(MAPPING, 'The mappings, by name.') }),
    run: async (ctx, { request }) => await listStatementMappings(ctx, request.caller),
  }),

  setStatementMapping: route({
    ...acting,
    path: '/staff/statements/mappings/',
    operation: 'set_staff_statement_mapping',
    summary: 'Store which column of a portal’s export is which field',
    input: titled('StatementMappingInput', MAPPING_INPUT),
    reply: MAPPING,
    errors: ['invalid_request'],
    repeat: 'a mapping of the same name is replaced.',
    run: async (ctx, { request, input }) => await setStatementMapping(ctx, request.caller, input),
  }),

  readStatementColumns: route({
    ...acting,
    path: '/staff/statements/columns/',
    operation: 'read_staff_statement_columns',
    summary: 'Read the columns and first lines of a portal’s export, and store nothing',
    input: titled('StatementColumnsInput', COLUMNS_INPUT),
    body_bytes_max: FILE_BODY_BYTES_MAX,
    reply: FILE_COLUMNS,
    errors: ['invalid_request'],
    repeat: 'nothing is stored.',
    run: async (ctx, { request, input }) => await readStatementColumns(ctx, request.caller, input),
  }),

  getStatementImport: route({
    ...reading,
    path: '/staff/statements/{pk}/',
    operation: 'get_staff_statement',
    summary: 'Read an imported file with the lines that could not be read',
    reply: IMPORT_DETAIL,
    run: async (ctx, { request, id }) => await readStatementImport(ctx, request.caller, id),
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
