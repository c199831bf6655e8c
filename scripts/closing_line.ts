// Summarises the reports of the test runner in the last line of CI.
import { existsSync, readFileSync } from 'node:fs'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
}

const files = process.argv.slice(2)
const reports = files
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report)
const sum = (count: (report: Report) => number): number =>
  reports.reduce((total, report) => total + count(report), 0)

const passed = sum((report) => report.numPassedTests)
// A file that failed to load has no failed test, and a step that hung has no report: neither may
// count as passed.
const absent = files.length - reports.length
const failed =
  absent +
  sum(({ numFailedTests, numFailedTestSuites }) =>
    Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
  )
const skipped = sum((report) => report.numPendingTests)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
