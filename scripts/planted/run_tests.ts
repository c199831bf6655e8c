// Runs vitest once in a copy of the tree, with a time limit, and evaluates its report.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { environmentOfCopy } from './copy_tree.ts'

/** The interface specification is beside the checkout, not beside the copy. */
const GAPURA_SPECIFICATION = path.resolve(
  import.meta.dirname,
  '../../../shared/spec/interface-specification.md',
)

export interface TestRun {
  /** `green` and `red` are verdicts of tests; `invalid` means that no test could judge. */
  outcome: 'green' | 'red' | 'invalid' | 'timeout'
  /** The tests that failed, or why the run is invalid. */
  detail: string
  seconds: number
}

export interface RunOptions {
  files: readonly string[]
  /** Only tests whose full title contains this. */
  title?: string | undefined
  limit_ms: number
  /** Stop at the first failure. */
  bail: boolean
  signal?: AbortSignal | undefined
}

interface Report {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const REPORT = 'planted-report.json'
const STDERR_CHARS_MAX = 4_000
const FAILURES_MAX = 10
/** After this a process that ignores the first signal is killed. */
const GRACE_MS = 5_000

/** Code that does not run and a database that takes no connection: such failures prove nothing. */
const PROVES_NOTHING =
  /ReferenceError|SyntaxError|Cannot find (?:module|package)|Failed to (?:load|resolve|parse)|Transform failed|PARSE_ERROR|too many clients already/

/** Runs the test files, or the whole suite where none is named. */
export async function runTests(copy: string, options: RunOptions): Promise<TestRun> {
  const report = path.join(copy, REPORT)
  rmSync(report, { force: true })
  const begun = performance.now()
  const { code, stderr, timed_out } = await runVitest(copy, options)
  const seconds = (performance.now() - begun) / 1000
  if (timed_out) {
    return { outcome: 'timeout', detail: `no end after ${options.limit_ms / 1000} s`, seconds }
  }
  if (!existsSync(report)) return { outcome: 'invalid', detail: stderr.trim(), seconds }
  const read = JSON.parse(readFileSync(report, 'utf8')) as Report
  return { ...judge(read, code, stderr), seconds }
}

/** Matches a reported title; vitest puts a separator between a group and its tests. */
const patternOf = (title: string): string =>
  title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' ', ' (?:> )?')

/** Ends the process group at the limit, because vitest starts workers. */
async function runVitest(copy: string, { files, title, limit_ms, bail, signal }: RunOptions) {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files,
      ...(title === undefined ? [] : [`--testNamePattern=${patternOf(title)}`]),
      ...(bail ? ['--bail=1'] : []),
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
    ],
    {
      cwd: copy,
      env: { ...environmentOfCopy(), GAPURA_SPECIFICATION },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  let timed_out = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS_MAX)
  })
  const end = () => {
    endGroup(child.pid, 'SIGTERM')
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), GRACE_MS).unref()
  }
  const limit = setTimeout(() => {
    timed_out = true
    end()
  }, limit_ms)
  signal?.addEventListener('abort', end)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  clearTimeout(limit)
  signal?.removeEventListener('abort', end)
  // A worker may outlive the main process.
  endGroup(child.pid, 'SIGKILL')
  return { code, stderr, timed_out }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}

function judge(report: Report, code: number | null, stderr: string): Omit<TestRun, 'seconds'> {
  const failures = report.testResults.flatMap(failuresOf)
  const broken = failures.find(({ message }) => PROVES_NOTHING.test(message))
  if (broken !== undefined) {
    return { outcome: 'invalid', detail: `${broken.title}: ${firstLine(broken.message)}` }
  }
  const judged = failures.filter((failure) => failure.judged)
  if (judged.length > 0) return { outcome: 'red', detail: listed(judged) }
  if (failures.length > 0)
    return { outcome: 'invalid', detail: `did not load: ${listed(failures)}` }
  if (report.numPassedTests === 0) return { outcome: 'invalid', detail: 'no test ran' }
  return code === 0
    ? { outcome: 'green', detail: '' }
    : { outcome: 'invalid', detail: `vitest ended with ${code}: ${firstLine(stderr)}` }
}

/** A failed test, or a file that failed around its tests: judged if tests of it had run by then. */
function failuresOf({ name, status, message, assertionResults }: Report['testResults'][number]) {
  const file = path.basename(name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') {
    const judged = assertionResults.some((test) => test.status === 'passed')
    return [{ title: `${file}: after its tests`, message, judged }]
  }
  return failed.map(({ fullName, failureMessages }) => ({
    title: `${file}: ${fullName}`,
    message: failureMessages.join('\n'),
    judged: true,
  }))
}

const listed = (failures: readonly { title: string; message: string }[]): string =>
  failures
    .slice(0, FAILURES_MAX)
    .map(({ title, message }) => `${title}: ${firstLine(message)}`)
    .join('; ')

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''
