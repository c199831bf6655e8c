import { readDatabaseAddress, verifyAuditChain, type AuditVerdict } from 'gapura'
import { UsageError, type Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { timeOf } from '../formats.ts'

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/

function expectedOf(texts: readonly string[]) {
  return texts.map((text) => {
    const [, seq, hash = ''] = HEAD.exec(text) ?? []
    if (seq === undefined) throw new UsageError('--expect is <seq>:<hash>, as an earlier run said')
    return { seq: Number(seq), hash }
  })
}

function told({ sealed, head, anchor, unsealed, faults }: AuditVerdict): string {
  const lines = faults.map(({ seq, fault }) => `FAULT ${seq ?? '-'}  ${fault}`)
  const begin = anchor === null ? '' : ` behind the anchor at ${anchor.seq}`
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
  summary: 'Walk the chain of the audit and say whether a row was removed, changed or added.',
  details:
    'Reads only; a role that may do no more is enough. Keep the head it prints somewhere else, or take one from the log lines "audit sealed": only with --expect is a chain found out that was cut off or hashed anew as a whole. Exit code 1 if anything is wrong.',
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
    output.result(verdict, () => told(verdict))
    return verdict.faults.length === 0 ? EXIT.ok : EXIT.failure
  },
}
