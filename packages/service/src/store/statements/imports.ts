import type { FileFormat, StatementSide } from '../../domain/statement.ts'
import type { Tx } from '../connection/transaction.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

export interface StatementImport {
  id: string
  created_at: Date
  bytes: number
  lines_read: number
  lines_new: number
  lines_known: number
  lines_refused: number
  side: StatementSide
  format: FileFormat
  file_name: string
  sha256: string
  fingerprint: string
  imported_by: string
  summary: Readonly<Record<string, unknown>>
}

export interface StatementRefusal {
  line_number: number
  reason: string
  content: string
}

const COLUMNS = `
  id, created_at, bytes, lines_read, lines_new, lines_known, lines_refused, side, format, file_name,
  sha256, fingerprint, imported_by, summary`

/** Nothing if the same file was imported before. */
export async function insertImport(
  tx: Tx,
  given: Omit<StatementImport, 'created_at'>,
): Promise<StatementImport | undefined> {
  const [made] = await tx.query<StatementImport>(
    `insert into gapura.statement_import (
       id, bytes, lines_read, lines_new, lines_known, lines_refused, side, format, file_name, sha256,
       fingerprint, imported_by, summary
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (fingerprint) do nothing
     returning ${COLUMNS}`,
    [
      given.id,
      given.bytes,
      given.lines_read,
      given.lines_new,
      given.lines_known,
      given.lines_refused,
      given.side,
      given.format,
      given.file_name,
      given.sha256,
      given.fingerprint,
      given.imported_by,
      toJson(given.summary),
    ],
  )
  return made
}

export async function insertRefusals(
  tx: Tx,
  import_id: string,
  refusals: readonly StatementRefusal[],
): Promise<void> {
  await tx.query(
    `insert into gapura.statement_refusal (import_id, line_number, reason, content)
     select $1, line_number, reason, content
     from jsonb_populate_recordset(null::gapura.statement_refusal, $2)`,
    [import_id, toJson(refusals)],
  )
}

export async function findImportByFingerprint(
  tx: Tx,
  fingerprint: string,
): Promise<StatementImport | undefined> {
  const [found] = await tx.query<StatementImport>(
    `select ${COLUMNS}
     from gapura.statement_import
     where fingerprint = $1`,
    [fingerprint],
  )
  return found
}

export async function findImport(tx: Tx, id: string): Promise<StatementImport | undefined> {
  const [found] = await tx.query<StatementImport>(
    `select ${COLUMNS}
     from gapura.statement_import
     where id = $1`,
    [id],
  )
  return found
}

/** A page of imported files, the newest first. */
export async function listImports(tx: Tx, request: PageRequest): Promise<Page<StatementImport>> {
  const source = { table: 'gapura.statement_import', columns: COLUMNS, conditions: [] }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<StatementImport>(text, values, { prepare: false }), request)
}

const REFUSALS_MAX = 1_000

/** In the order of the file. */
export const listRefusals = async (tx: Tx, import_id: string): Promise<StatementRefusal[]> =>
  await tx.query<StatementRefusal>(
    `select line_number, reason, content
     from gapura.statement_refusal
     where import_id = $1
     order by line_number
     limit $2`,
    [import_id, REFUSALS_MAX],
  )

export interface StoredMapping {
  name: string
  columns: Readonly<Record<string, string>>
  updated_at: Date
  updated_by: string
}

const MAPPING_COLUMNS = 'name, columns, updated_at, updated_by'

/** Replaces the mapping of that name. */
export async function saveMapping(
  tx: Tx,
  { name, columns, updated_by }: Omit<StoredMapping, 'updated_at'>,
): Promise<StoredMapping> {
  const [saved] = await tx.query<StoredMapping>(
    `insert into gapura.statement_mapping (name, columns, updated_by)
     values ($1, $2, $3)
     on conflict (name) do update
     set columns = excluded.columns,
         updated_by = excluded.updated_by,
         updated_at = gapura.now()
     returning ${MAPPING_COLUMNS}`,
    [name, toJson(columns), updated_by],
  )
  if (saved === undefined) throw new Error('the mapping was not written')
  return saved
}

export async function findMapping(tx: Tx, name: string): Promise<StoredMapping | undefined> {
  const [found] = await tx.query<StoredMapping>(
    `select ${MAPPING_COLUMNS}
     from gapura.statement_mapping
     where name = $1`,
    [name],
  )
  return found
}

/** A mapping for each kind of export: a few. */
const MAPPINGS_MAX = 200

export const listMappings = async (tx: Tx): Promise<StoredMapping[]> =>
  await tx.query<StoredMapping>(
    `select ${MAPPING_COLUMNS}
     from gapura.statement_mapping
     order by name
     limit $1`,
    [MAPPINGS_MAX],
  )
