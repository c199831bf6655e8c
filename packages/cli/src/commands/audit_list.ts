import type { AuditListed } from 'gapura'
import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { table } from '../output.ts'
import { LOOKING, withGapura } from '../session.ts'

const FILTERS = { actor: 'actor', subject: 'subject_id', action: 'action', since: 'since' } as const

export const auditList: Command = {
  name: 'audit list',
  summary: 'List the audit entries: who changed or read what, newest first.',
  flags: {
    actor: { value: 'name', summary: 'entries of this actor' },
    subject: { value: 'id', summary: 'entries about this payment, operation, alarm or key' },
    action: { value: 'action', summary: 'such as payment.refund, payment.read or key.create' },
    since: { value: 'time', summary: 'from this time on, as in 2026-11-01T00:00:00Z' },
    'before-seq': { value: 'seq', summary: 'continue after the previous page: its last SEQ' },
    limit: { value: 'n', summary: 'how many at most, 1 to 500 (default 50)' },
  },
  examples: [
    'gapura audit list --actor dewi --since 2026-11-01T00:00:00Z',
    'gapura audit list --action payment.refund --json',
  ],
  run: async (call) => {
    const limit = call.integer('limit', { min: 1, max: 500 })
    const before_seq = call.integer('before-seq', { min: 1, max: 999_999_999 })
    const given = Object.entries(FILTERS).flatMap(([flag, field]) => {
      const value = call.text(flag)
      return value === undefined ? [] : [[field, value] as const]
    })
    const query = {
      ...Object.fromEntries(given),
      ...(limit !== undefined && { limit }),
      ...(before_seq !== undefined && { before_seq }),
    }
    const rows = await withGapura(call, async ({ staff }) => await staff.listAudit(LOOKING, query))
    call.output.result(rows, () =>
      rows.length === 0 ? 'No audit entries match.' : table(rows, COLUMNS),
    )
  },
}

const COLUMNS = [
  { title: 'SEQ', of: ({ seq }: AuditListed) => (seq === null ? '-' : String(seq)) },
  { title: 'WHEN', of: ({ occurred_at }: AuditListed) => timeOf(occurred_at) },
  { title: 'WHO', of: ({ actor }: AuditListed) => actor },
  { title: 'WHAT', of: ({ action }: AuditListed) => action },
  { title: 'ABOUT', of: ({ subject_id }: AuditListed) => subject_id },
  { title: 'OF', of: ({ owner_id }: AuditListed) => owner_id ?? '-' },
  { title: 'WHY', of: ({ reason }: AuditListed) => reason ?? '-' },
]
