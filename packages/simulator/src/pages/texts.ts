import type { Table } from './text_table.ts'
import { RECORD_TEXTS } from './texts_records.ts'
import { CONSOLE_TEXTS } from './texts_console.ts'
import { FAULT_TEXTS } from './texts_faults.ts'
import { PAYER_TEXTS } from './texts_payer.ts'

/** Everything the pages say, in one table. */
export const TEXTS = {
  ...CONSOLE_TEXTS,
  ...RECORD_TEXTS,
  ...FAULT_TEXTS,
  ...PAYER_TEXTS,
} satisfies Table

export type TextKey = keyof typeof TEXTS
