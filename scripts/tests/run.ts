import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TestResult {
  title: string
  ancestors: string[]
  status: string
}

interface Report {
  testResults: {
    name: string
    status: string
    assertionResults: { title: string; ancestorTitles: string[]; status: string }[]
  }[]
}

/** Runs the tests of a folder and returns their results. A file that does not load counts as failed. */
export function runTests(folder: string, environment: NodeJS.ProcessEnv = {}) {
  const output = path.join(tmpdir(), `gapura-tests-${process.pid}.json`)
  spawnSync('vitest', ['run', folder, '--reporter=json', `--outputFile.json=${output}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  rmSync(output)
  const results: TestResult[] = testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.map(({ title, ancestorTitles, status: outcome }) => ({
      title,
      ancestors: ancestorTitles,
      status: outcome,
    }))
    const unloaded = status === 'failed' && tests.every((one) => one.status !== 'failed')
    return unloaded ? [...tests, { title: name, ancestors: [], status: 'failed' }] : tests
  })
  return {
    results,
    passed: results.filter(({ status }) => status === 'passed'),
    failed: results.filter(({ status }) => status === 'failed'),
  }
}
