// The current code without its ledger, in a folder of its own: there is no setting that switches the
// ledger off, because entries could be lost, so only a copy can show what it costs.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyTree } from '../../scripts/planted/copy_tree.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const STEPS = 'packages/service/src/store/payments/transitions.ts'

/** What a transition does for the ledger, each exactly once in its file. */
const REMOVED: readonly { file: string; is: RegExp; instead: string }[] = [
  {
    file: 'packages/service/src/domain/ledger.ts',
    is: /if \(amount > 0n\) postings\.push/g,
    instead: 'if (amount > 2n ** 100n) postings.push',
  },
  {
    file: STEPS,
    is: /\), posted as \([\s\S]*?where changed\.postings is not null\n {2}/g,
    instead: '',
  },
  { file: STEPS, is: / {2}\.\.\.BOOKED_COLUMNS,\n(?=\])/g, instead: '' },
  { file: STEPS, is: / {2}postings: 'jsonb',\n/g, instead: '' },
  { file: STEPS, is: /\.\.\.emitted, postings \}/g, instead: '...emitted }' },
]

/** The folder of a copy; the caller removes it. */
export function copyWithoutLedger(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'gapura-without-ledger-'))
  copyTree(ROOT, copy)
  for (const { file, is, instead } of REMOVED) {
    const place = path.join(copy, file)
    const text = readFileSync(place, 'utf8')
    const found = text.match(is)?.length ?? 0
    if (found !== 1) throw new Error(`${file} has ${found} times ${String(is)}`)
    writeFileSync(place, text.replace(is, instead))
  }
  return copy
}
