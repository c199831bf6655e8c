// Runs the quick start block by block in an empty folder. Two things differ: the ports are free ones,
// and packages come from this repository, our own as they are packed for publishing.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../packages/service/test/store/test_database.ts'
import { blocksOf, Page } from '../../scripts/quickstart/blocks.ts'
import { freePort } from '../../scripts/quickstart/free_port.ts'
import { pack, published } from '../../scripts/quickstart/packages.ts'
import { Terminal } from '../../scripts/quickstart/terminal.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-quick-start-'))
const page = new Page(blocksOf('docs/quick_start.md'))
const { ports } = page
const take = page.take.bind(page)

/** Installs the packages with their dependencies, and nothing else of ours. */
function install(names: readonly string[]): void {
  const modules = path.join(folder, 'node_modules')
  mkdirSync(path.join(modules, '@gapura'), { recursive: true })
  for (const name of readdirSync('node_modules')) {
    if (/^(?:\.|gapura|@gapura$)/.test(name)) continue
    symlinkSync(path.resolve('node_modules', name), path.join(modules, name))
  }
  for (const one of published()) {
    const file = pack(one, folder)
    mkdirSync(path.join(modules, one.name))
    const into = ['--strip-components=1', '-C', path.join(modules, one.name)]
    execFileSync('tar', ['-xzf', file, ...into])
  }
  const missing = names.filter((name) => !existsSync(path.join(modules, name)))
  if (missing.length > 0) throw new Error(`these packages are not published: ${missing.join(', ')}`)
  mkdirSync(path.join(modules, '.bin'))
  const entry = path.join(modules, '@gapura/cli/bin/gapura.js')
  chmodSync(entry, 0o755)
  symlinkSync(entry, path.join(modules, '.bin/gapura'))
}

test('every block of the quick start works', async () => {
  for (const port of ['3000', '4010', '8080']) ports[port] = await freePort()
  // As root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const [one, two, three] = [new Terminal(folder), new Terminal(folder), new Terminal(folder)]
  onTestFinished(async () => {
    for (const open of [three, two, one]) await open.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const [, names = ''] = /^npm install (.*)$/m.exec(take('')) ?? []
  install(names.split(' ').filter((name) => !name.endsWith('.tgz')))
  const flags = `--port ${ports['3000']} --simulator-port ${ports['4010']}`
  one.type(`${take('terminal 1').trim()} ${flags}`)
  await one.until('Gapura is ready')

  await two.run(take('terminal 2', 0))
  const charge = take('terminal 2', 1)
  const first = await two.run(charge)
  expect(first).toMatch(/"va_number":"\d+"/)
  expect(first).toContain('"transaction_status":"pending"')
  expect(await two.run(charge.replace('curl -s', 'curl -si'))).toMatch(
    /idempotency-replayed: true/i,
  )

  await two.run(take('terminal 2', 2))
  await one.until(/payment_settled +order-1/)
  expect(await two.run(take('terminal 2', 3))).toContain('settlement')

  // With the same key, refund included.
  expect(await two.run(take('terminal 2', 4))).toMatch(/"refund":\{/)

  writeFileSync(path.join(folder, 'app.ts'), take('app.ts'))
  three.type(take('terminal 3'))
  await three.until('send the goods for order-1')
  // It receives the event before it listens.
  const asked = async (): Promise<number> =>
    await fetch(`http://127.0.0.1:${ports['8080']}/pay/payments/`).then(
      ({ status }) => status,
      () => 0,
    )
  expect(await eventually(asked, (status) => status !== 0)).toBe(401)
  const triggered = await two.run(take('terminal 2', 5))
  const order_id = /^order +(\S+)$/m.exec(triggered)?.[1] ?? triggered
  await three.until(`send the goods for ${order_id}`)

  expect(page.left()).toEqual([])
}, 240_000)

test('a free port that begins like a port of the page is left as it is', () => {
  const code =
    'curl http://127.0.0.1:3000/charge/ http://127.0.0.1:4010\nserver.listen(8080, ready)\n'
  const other = new Page([{ language: 'sh', place: 'terminal', code }])
  Object.assign(other.ports, { 3000: 40107, 4010: 30001, 8080: 3000 })
  expect(other.take('terminal')).toBe(
    'curl http://127.0.0.1:40107/charge/ http://127.0.0.1:30001\nserver.listen(3000, ready)\n',
  )
})
