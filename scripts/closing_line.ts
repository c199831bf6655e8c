// Summarises the reports of the test runner in the last line of CI.
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
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
// Named again here: what is kept of a long run is its end.
for (const { name, status, message, assertionResults } of reports.flatMap(
  (one) => one.testResults,
)) {
  const broken = assertionResults.filter((one) => one.status === 'failed')
  const where = relative(process.cwd(), name)
  for (const { fullName, failureMessages } of broken)
    console.log(`FAILED ${where}: ${fullName}\n${failureMessages.join('\n').slice(0, 3000)}`)
  if (status === 'failed' && broken.length === 0)
    console.log(`FAILED ${where}\n${message.slice(0, 3000)}`)
}
for (const file of files.filter((one) => !existsSync(one)))
  console.log(`FAILED without a report: ${basename(file, '.json')}`)
const skipped = sum((report) => report.numPendingTests)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
