import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { FILE_FORMATS, type FileFormat, type StatementSide } from '../../domain/statement.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  findImportByFingerprint,
  insertImport,
  insertRefusals,
  type StatementImport,
} from '../../store/statements/imports.ts'
import { insertLines } from '../../store/statements/lines.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { Request } from '../requests.ts'
import { refuseFaults, requestParser, secretFaults } from '../validation.ts'
import type { FileRead } from './file_tasks.ts'
import type { ColumnMapping } from './files/portal.ts'
import { hashOf } from './keyed_lines.ts'
import {
  COLUMNS,
  CONTENT,
  fileOf,
  MAPPING_NAME,
  mappingNamed,
  readable,
  storeMapping,
} from './mappings.ts'
import { readLines } from './read_apart.ts'

const CHUNK = 1_000

const maybe = Type.Optional
const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export const IMPORT_INPUT = Type.Object(
  {
    file_name: name('The name of the file, for people.'),
    format: Type.Enum([...FILE_FORMATS], { description: 'What the file is.' }),
    content_base64: CONTENT,
    mapping: maybe(
      MAPPING_NAME('The stored mapping of its columns, or the name to store `columns` under.'),
    ),
    columns: maybe(COLUMNS),
  },
  { additionalProperties: false },
)

const parseInput = requestParser(IMPORT_INPUT)

const SIDES: Readonly<Record<FileFormat, StatementSide>> = {
  portal_csv: 'gateway',
  portal_xlsx: 'gateway',
  bca_csv: 'bank',
  mandiri_csv: 'bank',
  mt940: 'bank',
  camt053: 'bank',
}

export type Imported = StatementImport & { repeated: boolean }

/**
 * Imports a file: every line is stored once or listed with the reason why not. The same file again
 * changes nothing and gives the first import.
 */
export async function importStatement(
  ctx: Context,
  { caller, request_id }: Request,
  input: unknown,
): Promise<Imported> {
  requireStaff(caller, 'staff:act')
  const given = parseInput(input)
  const { file_name, format, content_base64 } = given
  refuseFaults(secretFaults({ file_name, mapping: given.mapping, columns: given.columns }))
  const bytes = fileOf(content_base64)
  const mapping = await mappingOf(ctx, caller, given)
  const side = SIDES[format]
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const fingerprint = hashOf({ sha256, format, mapping: mapping ?? null })
  const known = await withReadTransaction(
    ctx.db,
    async (tx) => await findImportByFingerprint(tx, fingerprint),
  )
  if (known !== undefined) return { ...known, repeated: true }
  const read = await readable(readLines({ task: 'lines', format, bytes, mapping }))
  return await withTransaction(ctx.db, async (tx) => {
    const earlier = await findImportByFingerprint(tx, fingerprint)
    if (earlier !== undefined) return { ...earlier, repeated: true }
    const of = { file_name, format, side, sha256, fingerprint, bytes: bytes.length }
    const made = await store(tx, { ...of, imported_by: caller.owner_id }, read)
    if (made === undefined) {
      // Another process was faster with the same file.
      const first = await findImportByFingerprint(tx, fingerprint)
      if (first === undefined) throw new Error('an import is neither new nor known')
      return { ...first, repeated: true }
    }
    const { id: subject_id, lines_new, lines_known, lines_refused } = made
    const detail = { format, sha256, lines_new, lines_known, lines_refused }
    const subject = { subject_kind: 'statement', subject_id, request_id }
    await recordAudit(tx, ctx, caller, { action: 'statement.import', ...subject, detail })
    return { ...made, repeated: false }
  })
}

/** The columns that were given, kept under their name, or those kept before. */
async function mappingOf(
  ctx: Context,
  caller: Caller,
  { mapping, columns, format }: Static<typeof IMPORT_INPUT>,
): Promise<ColumnMapping | undefined> {
  const is_portal = format === 'portal_csv' || format === 'portal_xlsx'
  if (!is_portal && (mapping ?? columns) !== undefined) {
    const message = 'is for exports of the portal only'
    throw gatewayError('invalid_request', { errors: [{ field: 'mapping', message }] })
  }
  if (columns === undefined) {
    return mapping === undefined ? undefined : await mappingNamed(ctx, mapping)
  }
  if (mapping !== undefined) {
    const kept = { name: mapping, columns }
    await withTransaction(ctx.db, async (tx) => await storeMapping(tx, ctx, caller, kept))
  }
  return columns
}

type ImportFacts = Pick<
  StatementImport,
  'file_name' | 'format' | 'side' | 'sha256' | 'fingerprint' | 'bytes' | 'imported_by'
>

async function store(
  tx: Tx,
  facts: ImportFacts,
  { lines, refused: refusals, summary }: FileRead,
): Promise<StatementImport | undefined> {
  const id = newId()
  const { side, format: source } = facts
  let lines_new = 0
  for (const chunk of chunksOf(lines)) {
    lines_new += await insertLines(tx, { side, source, import_id: id, lines: chunk })
  }
  const made = await insertImport(tx, {
    ...facts,
    id,
    lines_read: lines.length + refusals.length,
    lines_new,
    lines_known: lines.length - lines_new,
    lines_refused: refusals.length,
    summary: { ...summary },
  })
  if (made === undefined) return undefined
  for (const chunk of chunksOf(refusals)) await insertRefusals(tx, id, chunk)
  return made
}

function* chunksOf<Line>(lines: readonly Line[]): Generator<readonly Line[]> {
  for (let at = 0; at < lines.length; at += CHUNK) yield lines.slice(at, at + CHUNK)
}
