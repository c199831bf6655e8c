// Which column of a portal's export is which field: stored by name, and found by looking at a file.
import { Type, type Static } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { DATE_ORDERS } from '../../domain/statement_values.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  findMapping,
  listMappings,
  saveMapping,
  type StoredMapping,
} from '../../store/statements/imports.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { SHORT_REASON } from '../staff/staff_query.ts'
import { refuseFaults, requestParser, secretFaults } from '../validation.ts'
import { FileProblem } from './files/parsed_file.ts'
import type { ColumnMapping, MappedField } from './files/portal.ts'
import { readColumns } from './read_apart.ts'

/** Of a file; a workbook may unpack to more. */
const FILE_BYTES_MAX = 8 * 1_024 * 1_024
const BASE64_LENGTH_MAX = Math.ceil(FILE_BYTES_MAX / 3) * 4

/** The body of a request with a file: the file in base64 and the other fields. */
export const FILE_BODY_BYTES_MAX = BASE64_LENGTH_MAX + 65_536

const maybe = Type.Optional
const closed = { additionalProperties: false }

export const MAPPING_NAME = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description })

export const CONTENT = Type.String({
  maxLength: BASE64_LENGTH_MAX,
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  examples: ['VGltZSxBbW91bnQ='],
  description: 'The file, in base64; at most 8 MiB before that.',
})

const column = (description: string) =>
  maybe(Type.String({ minLength: 1, maxLength: 200, description }))

const FIELDS = {
  time: column('The column of the time.'),
  amount: column('The column of the amount.'),
  fee: column('The column of the fee.'),
  type: column('The column of the type, such as payment or refund.'),
  status: column('The column of the status.'),
  channel: column('The column of the payment method.'),
  order_id: column('The column of the order id.'),
  transaction_id: column('The column of the gateway’s transaction id.'),
  reference: column('The column of the reference, such as that of a payout.'),
  description: column('The column of the description.'),
} satisfies Record<MappedField, unknown>

/** The name of the column of each field. Closed: a field that is misspelt would stay empty. */
export const COLUMNS = Type.Object(
  {
    ...FIELDS,
    date_order: maybe(
      Type.Enum([...DATE_ORDERS], {
        description: 'Whether 01/02/2026 has the day or the month first, where a file has both.',
      }),
    ),
  },
  { ...closed, description: 'The name of the column of each field.' },
)

const parseColumns = requestParser(COLUMNS)

export const MAPPING_INPUT = Type.Object(
  {
    name: MAPPING_NAME('The name that imports give; a mapping of this name is replaced.'),
    columns: COLUMNS,
    reason: maybe(SHORT_REASON),
  },
  closed,
)

const parseMapping = requestParser(MAPPING_INPUT)

/** The mapping of a stored name, or `invalid_request`. */
export async function mappingNamed(ctx: Context, name: string): Promise<ColumnMapping> {
  const found = await withReadTransaction(ctx.db, async (tx) => await findMapping(tx, name))
  if (found !== undefined) return parseColumns(found.columns)
  const message = 'must be the name of a stored mapping; give its columns once'
  throw gatewayError('invalid_request', { errors: [{ field: 'mapping', message }] })
}

/** Stores a mapping under its name, with its entry in the audit. */
export async function storeMapping(
  tx: Tx,
  ctx: Context,
  caller: Caller,
  { name, columns, reason }: Static<typeof MAPPING_INPUT>,
): Promise<StoredMapping> {
  const saved = await saveMapping(tx, { name, columns, updated_by: caller.owner_id })
  const about = { subject_kind: 'statement_mapping', subject_id: name, reason: reason ?? null }
  const detail = { columns }
  await recordAudit(tx, ctx, caller, { action: 'statement_mapping.set', ...about, detail })
  return saved
}

/** The stored mappings, by name. For staff. */
export async function listStatementMappings(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  return { mappings: await withReadTransaction(ctx.db, listMappings) }
}

/** Stores which column is which field, under a name. */
export async function setStatementMapping(ctx: Context, caller: Caller, input: unknown) {
  requireStaff(caller, 'staff:act')
  const given = parseMapping(input)
  refuseFaults([
    ...secretFaults(given),
    ...(['time', 'amount'] as const)
      .filter((field) => given.columns[field] === undefined)
      .map((field) => ({ field: `columns.${field}`, message: 'is required' })),
  ])
  return await withTransaction(ctx.db, async (tx) => await storeMapping(tx, ctx, caller, given))
}

export const COLUMNS_INPUT = Type.Object(
  {
    format: Type.Enum(['portal_csv', 'portal_xlsx'], { description: 'What the file is.' }),
    content_base64: CONTENT,
  },
  closed,
)

const parseLook = requestParser(COLUMNS_INPUT)

/** The columns of a portal's export, its first lines and the fields that are known by name. */
export async function readStatementColumns(_ctx: Context, caller: Caller, input: unknown) {
  requireStaff(caller, 'staff:act')
  const { format, content_base64 } = parseLook(input)
  const bytes = fileOf(content_base64)
  return await readable(readColumns({ task: 'columns', format, bytes }))
}

/** The bytes of a file, within its bound. */
export function fileOf(content_base64: string): Uint8Array {
  const bytes = Buffer.from(content_base64, 'base64')
  if (bytes.length > FILE_BYTES_MAX) throw refused(`must be at most ${FILE_BYTES_MAX} bytes`)
  return bytes
}

/** A file that cannot be read is the fault of the request. */
export async function readable<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof FileProblem) throw refused(error.message)
    throw error
  }
}

const refused = (message: string) =>
  gatewayError('invalid_request', { errors: [{ field: 'content_base64', message }] })
