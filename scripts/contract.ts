// Runs the contract tests and prints what the simulator's ledger counted for each operation.
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runTests } from './tests/run.ts'

interface Cell {
  operation: string
  cell: string
  count: number
}

const summary = path.join(tmpdir(), `gapura-contract-${process.pid}.json`)
const report = runTests('test/contract', { CONTRACT_SUMMARY: summary })
for (const { title } of report.failed) console.log(`FAILED ${title}`)

const cells =
  report.failed.length === 0 ? (JSON.parse(readFileSync(summary, 'utf8')) as Cell[]) : []
rmSync(summary, { force: true })
const table = Map.groupBy(cells, ({ operation }) => operation)
console.table(
  Object.fromEntries(
    [...table].map(([operation, row]) => [
      operation,
      Object.fromEntries(row.map(({ cell, count }) => [cell, count])),
    ]),
  ),
)
const onTheWire = [...table.values()].filter((row) => row.every(({ count }) => count > 0)).length
const signature = report.passed.filter(({ ancestors }) =>
  ancestors.includes('verify_signature'),
).length
console.log(`${cells.length} cells in the ledger, ${report.passed.length} tests passed`)
const operations = onTheWire + (signature > 0 ? 1 : 0)
console.log(`${operations}/27 operations`)
process.exitCode = operations === 27 && report.failed.length === 0 ? 0 : 1
