// Turns the test runner's report into the one line that closes CI.
import { readFileSync } from 'node:fs'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
}

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report
// A suite that failed to load has no failed test in it; it must not read as a green run.
const failed = Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0)
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : ''
console.log(`${report.numPassedTests} passed, ${failed} failed${skipped}`)
process.exitCode = failed > 0 || report.numPassedTests === 0 ? 1 : 0
