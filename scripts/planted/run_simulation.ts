// Runs the seeded simulation once in a copy of the tree, until it breaks a promise or the time is up.
import { spawn } from 'node:child_process'
import { environmentOfCopy } from './copy_tree.ts'
import type { TestRun } from './run_tests.ts'

/** Beyond the time in which seeds begin: the last seed, the server's start and end. */
const GRACE_MS = 120_000
const BROKEN = /BROKEN (.+)/
const ENDED = /(\d+) promises broken/
const OUTPUT_CHARS_MAX = 400_000

export interface SimulationRun {
  seconds: number
  seed: number
  /** Only this one; otherwise all by turns. */
  scenario?: string | undefined
  signal?: AbortSignal | undefined
}

/** Red with the first broken promise; invalid if the campaign itself did not reach its report. */
export async function runSimulation(
  copy: string,
  { seconds, seed, scenario, signal }: SimulationRun,
): Promise<TestRun> {
  const begun = performance.now()
  const command = ['--conditions=@gapura/source', 'campaigns/seeds.ts', '--first']
  const sizes = ['--n', '100000', '--seed', String(seed), '--seconds', String(seconds)]
  const only = scenario === undefined ? [] : ['--only', scenario]
  const child = spawn(process.execPath, [...command, ...sizes, ...only], {
    cwd: copy,
    env: environmentOfCopy(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS_MAX)
    })
  // The campaign takes its server with it at this signal.
  const end = () => child.kill('SIGTERM')
  const limit = setTimeout(end, seconds * 1_000 + GRACE_MS)
  signal?.addEventListener('abort', end)
  await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(limit)
  signal?.removeEventListener('abort', end)
  const taken = (performance.now() - begun) / 1_000
  const broken = BROKEN.exec(output)?.[1]
  if (broken !== undefined) return { outcome: 'red', detail: broken, seconds: taken }
  return ENDED.test(output)
    ? { outcome: 'green', detail: `no promise broken from seed ${seed}`, seconds: taken }
    : { outcome: 'invalid', detail: output.trim().slice(-300), seconds: taken }
}
