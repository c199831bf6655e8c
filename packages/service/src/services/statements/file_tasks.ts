// What is read of a file. It takes seconds for a large one, so a thread of its own does it.
import type { FileFormat } from '../../domain/statement.ts'
import type { NewLine } from '../../store/statements/lines.ts'
import { readBca, readMandiri } from './files/bank_csv.ts'
import { readCamt053 } from './files/camt053.ts'
import { readMt940 } from './files/mt940.ts'
import type { ParsedFile } from './files/parsed_file.ts'
import {
  columnsOfCsv,
  columnsOfXlsx,
  readPortalCsv,
  readPortalXlsx,
  type ColumnMapping,
  type PortalColumns,
} from './files/portal.ts'
import { fileLines } from './keyed_lines.ts'

export interface LinesTask {
  task: 'lines'
  format: FileFormat
  bytes: Uint8Array
  mapping: ColumnMapping | undefined
}

export interface ColumnsTask {
  task: 'columns'
  format: 'portal_csv' | 'portal_xlsx'
  bytes: Uint8Array
}

type Reader = (bytes: Uint8Array, mapping?: ColumnMapping) => ParsedFile

const READERS: Readonly<Record<FileFormat, Reader>> = {
  portal_csv: readPortalCsv,
  portal_xlsx: readPortalXlsx,
  bca_csv: readBca,
  mandiri_csv: readMandiri,
  mt940: readMt940,
  camt053: readCamt053,
}

/** A file with its lines as they are stored. */
export type FileRead = Pick<ParsedFile, 'refused' | 'summary'> & { lines: NewLine[] }

export function linesOf({ format, bytes, mapping }: LinesTask): FileRead {
  const { accepted, refused, summary } = READERS[format](bytes, mapping)
  return { lines: fileLines(accepted), refused, summary }
}

export const columnsOf = ({ format, bytes }: ColumnsTask): PortalColumns =>
  format === 'portal_csv' ? columnsOfCsv(bytes) : columnsOfXlsx(bytes)
