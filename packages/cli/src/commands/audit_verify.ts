import { readDatabaseAddress, verifyAuditChain, type AuditVerdict } from 'gapura'
import { UsageError, type Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { timeOf } from '../formats.ts'

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/

function expectedOf(texts: readonly string[]) {
  return texts.map((text) => {
    const [, seq, hash = ''] = HEAD.exec(text) ?? []
    if (seq === undefined)
      throw new UsageError('--expect must be <seq>:<hash>, as an earlier run printed it')
    return { seq: Number(seq), hash }
  })
}

function verdictText({ sealed, head, anchor, unsealed, faults }: AuditVerdict): string {
  const lines = faults.map(({ seq, fault }) => `FAULT ${seq ?? '-'}  ${fault}`)
  const begin = anchor === null ? '' : ` after the anchor at ${anchor.seq}`
  const verdict = faults.length === 0 ? 'clean' : `${faults.length} fault(s)`
  lines.push(`${sealed} sealed rows${begin}: ${verdict}`, `head ${head.seq}:${head.hash}`)
  lines.push(`${unsealed.length} not sealed yet`)
  for (const { occurred_at, actor, action, subject_id } of unsealed.slice(0, TAIL_SHOWN_MAX)) {
    lines.push(`  ${timeOf(occurred_at)}  ${actor}  ${action}  ${subject_id}`)
  }
  return lines.join('\n')
}

const TAIL_SHOWN_MAX = 50

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Verify the hash chain of the audit: finds rows that were removed, changed or added.',
  details:
    'Reads only; a read-only role is enough. Keep the printed head outside the database, or take one from the log lines "audit sealed": only --expect finds a chain that was cut off or rehashed as a whole. Exit code 1 if anything is wrong.',
  flags: {
    expect: {
      value: 'seq:hash',
      summary: 'a head known from before; may be repeated',
      multiple: true,
    },
  },
  examples: ['gapura audit verify', 'gapura audit verify --expect 4711:9f2c…'],
  run: async (call) => {
    const { environment, output } = call
    const { databaseUrl, schema } = readDatabaseAddress(environment)
    const expected = expectedOf(call.texts('expect'))
    const verdict = await verifyAuditChain(databaseUrl, {
      expected,
      ...(schema !== undefined && { schema }),
    })
    output.result(verdict, () => verdictText(verdict))
    return verdict.faults.length === 0 ? EXIT.ok : EXIT.failure
  },
}
