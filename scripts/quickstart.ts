// Follows the README's quick start as a new user does: our packages packed as they would be published,
// installed with an empty cache into an empty folder outside the repository, and then the README's
// own blocks, from a first `npx gapura dev` to a `payment_settled` on the screen, by the clock.
// Two things differ from the page: our packages come out of files, and a port that is taken here is
// replaced. `--built` takes the packages as they are built already; `--record` puts what the first
// terminal showed on the quick start page.
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { blocksOf, Page } from './quickstart/blocks.ts'
import { typeFaults } from './quickstart/consumer.ts'
import { freePort } from './quickstart/free_port.ts'
import { buildAll, faultsOf, pack, published } from './quickstart/packages.ts'
import { writeRecording } from './quickstart/recording.ts'
import { Terminal } from './quickstart/terminal.ts'

const ALL_WITHIN_S = 300
const AFTER_INSTALL_WITHIN_S = 30
const INSTALL_DEADLINE_MS = ALL_WITHIN_S * 1_000

const { values } = parseArgs({
  options: {
    built: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const page = new Page(blocksOf('README.md', 'Quick start'))
const faults: string[] = []
const seconds: Record<string, number> = {}

async function timed<Result>(
  step: string,
  work: () => Promise<Result> | Result,
  describe: (result: Result) => string,
): Promise<Result> {
  const began = performance.now()
  const result = await work()
  const took = (performance.now() - began) / 1_000
  seconds[step] = took
  console.log(`${step.padEnd(8)} ${took.toFixed(1).padStart(6)} s  ${describe(result)}`)
  return result
}

/** The line of the page, with the packed files in the place of ours, by name or by file. */
function installLine(files: readonly string[]): string {
  const line = page.take('').trim()
  const [, names = ''] = /^npm install (.*)$/.exec(line) ?? []
  const ours = new Set(published().map(({ name }) => name))
  const others = names.split(' ').filter((name) => !ours.has(name) && !name.endsWith('.tgz'))
  if (others.length === names.split(' ').length)
    throw new Error(`the line installs none of our packages: ${line}`)
  return `npm install ${[...files, ...others].join(' ')}`
}

function packAll(into: string): string[] {
  if (!values.built) buildAll()
  return published().map((one) => {
    const file = pack(one, into)
    faults.push(...faultsOf(one, file))
    return file
  })
}

const kilobytes = (files: readonly string[]): string =>
  `${files.length} packages, ${Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000)} kB`

async function follow(folder: string, files: readonly string[]): Promise<void> {
  const fresh = {
    npm_config_cache: path.join(folder, '.npm'),
    npm_config_audit: 'false',
    // Hides npm's warnings about the settings of this machine.
    npm_config_loglevel: 'error',
  }
  const [one, two] = [new Terminal(folder, fresh), new Terminal(folder, fresh)]
  try {
    await timed(
      'install',
      async () => await one.run(installLine(files), INSTALL_DEADLINE_MS),
      (text) => /added \d+ packages/.exec(text)?.[0] ?? 'nothing was added',
    )
    for (const port of [3000, 4010]) page.ports[port] = await freePort(port)
    const { 3000: api, 4010: simulator } = page.ports
    const moved = api !== 3000 || simulator !== 4010
    const flags = moved ? ` --port ${api} --simulator-port ${simulator}` : ''
    if (flags !== '') console.log(`a port of the page is in use; dev gets${flags}`)
    if (moved && values.record)
      throw new Error('the ports of the page must be free for a recording')
    const installed = one.printed.length
    await timed(
      'start',
      async () => {
        one.type(`${page.take('terminal 1').trim()}${flags}`)
        await one.until('Gapura is ready')
      },
      () => /Gapura is ready.*/.exec(one.printed)?.[0] ?? '',
    )
    await timed(
      'charge',
      async () => await two.run(page.take('terminal 2', 0)),
      (reply) => /"transaction_status":"\w+"/.exec(reply)?.[0] ?? reply,
    )
    await timed(
      'pay',
      async () => {
        await two.run(page.take('terminal 2', 1))
        await one.until(/payment_settled +order-1/)
      },
      () => /^.*payment_settled +order-1.*$/m.exec(one.printed)?.[0] ?? '',
    )
    await one.end()
    if (values.record) writeRecording(page.take('terminal 1').trim(), one.printed.slice(installed))
  } finally {
    await one.end()
    await two.end()
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-quickstart-'))
// As root, PostgreSQL runs as another user, which must be able to read the folder.
chmodSync(folder, 0o755)
const packages = mkdtempSync(path.join(tmpdir(), 'gapura-packages-'))
try {
  const files = await timed('pack', () => packAll(packages), kilobytes)
  await follow(folder, files)
  await timed(
    'types',
    () => void faults.push(...typeFaults(folder)),
    () => 'looked up as under node16 and bundler',
  )
} catch (error) {
  faults.push(error instanceof Error ? error.message : String(error))
} finally {
  rmSync(folder, { recursive: true, force: true })
  rmSync(packages, { recursive: true, force: true })
}

const { install = 0, start = 0, charge = 0, pay = 0 } = seconds
const after = start + charge + pay
if (install + after > ALL_WITHIN_S) faults.push(`more than ${ALL_WITHIN_S} s in all`)
if (after > AFTER_INSTALL_WITHIN_S) {
  faults.push(`more than ${AFTER_INSTALL_WITHIN_S} s after the install`)
}
faults.push(...page.left().map(({ code }) => `not run: ${code}`))
for (const fault of faults) console.error(`fault: ${fault}`)
console.log(
  `quick start ${faults.length === 0 ? 'holds' : 'MISSED'}: ` +
    `payment_settled ${(install + after).toFixed(1)} s after the start (limit ${ALL_WITHIN_S}), ` +
    `${after.toFixed(1)} s after the install (limit ${AFTER_INSTALL_WITHIN_S})`,
)
process.exitCode = faults.length === 0 ? 0 : 1
