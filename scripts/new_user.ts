// A new user in an empty folder, with our packages as they would be published: TypeScript strict,
// Express, a charge, its events, a refund, the list as staff. Then the same with one mistake each,
// which must end in a message that names the remedy. `--built` takes the packages as they are built.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { SHARED_URL } from '../packages/service/test/store/own_database.ts'
import { buildAll, pack, published } from './quickstart/packages.ts'

const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
const SHOP = readFileSync(new URL('./new_user/shop.txt', import.meta.url), 'utf8')
const DEADLINE_MS = 60_000
const INSTALL_DEADLINE_MS = 300_000
const SETTLED_WITHIN_S = 60

interface Attempt {
  name: string
  /** What the user wrote instead. */
  replace?: string
  with?: string
  /** What must be printed, by the program or in the reply it prints. */
  prints: readonly RegExp[]
}

const ATTEMPTS: readonly Attempt[] = [
  {
    name: 'as documented',
    prints: [
      /^charged shop-\d+: pending$/m,
      /^event (?=.*"type":"payment_settled")(?=.*"gross_amount":"44000\.00").*"is_paid":true/m,
      /^refunded 10000\.00$/m,
      /^staff sees 1 payment of shop-\d+$/m,
      /^done$/m,
    ],
  },
  {
    name: 'without a migration',
    replace: 'await gapura.migrate()\n',
    with: '',
    prints: [/gapura migrate|gapura\.migrate\(\)/],
  },
  {
    name: 'with the key of another account',
    replace: 'server_key: simulator.server_key',
    with: "server_key: 'SB-Mid-server-of-another-account'",
    prints: [/POST \/charge\/: 4\d\d .*server.key/i],
  },
  {
    name: 'behind a middleware that has read the body',
    replace: 'app.use(express.json())',
    with: 'app.use((request, _response, next) => void request.resume().on("end", () => next()))',
    prints: [/POST \/charge\/: \d+ .*body_already_read/, /before/],
  },
  {
    name: 'with requests under another prefix',
    replace: '.port}/pay`',
    with: '.port}/pay/api`',
    prints: [/POST \/charge\/: 404 .*mount prefix/],
  },
]

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-new-user-'))
const faults: string[] = []
let passed = 0

function run(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  timeout = DEADLINE_MS,
) {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout,
  })
  return { status, text: stdout + stderr }
}

function install(): void {
  if (!values.built) buildAll()
  const wanted = new Set(['gapura', '@gapura/simulator'])
  const files = published()
    .filter(({ name }) => wanted.has(name))
    .map((one) => pack(one, folder))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  const names = [...files, 'express', 'typescript', '@types/express', '@types/node']
  const args = ['install', '--no-audit', '--no-fund', ...names]
  const { status, text } = run('npm', args, process.env, INSTALL_DEADLINE_MS)
  if (status !== 0) throw new Error(`npm install failed: ${text}`)
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2024', types: ['node'] }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ['shop.ts'] }),
  )
}

/** An empty database for one attempt. */
async function emptyDatabase() {
  const client = new Client({ connectionString: SHARED_URL })
  await client.connect()
  const name = `gapura_new_user_${process.pid}_${Date.now()}`
  await client.query(`create database ${name}`)
  return {
    url: new URL(`/${name}`, SHARED_URL).href,
    [Symbol.asyncDispose]: async () => {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}

async function attempt({ name, replace = '', with: instead = '', prints }: Attempt) {
  const before = faults.length
  const source = replace === '' ? SHOP : SHOP.replace(replace, () => instead)
  if (replace !== '' && source === SHOP) throw new Error(`${name}: nothing was replaced`)
  writeFileSync(path.join(folder, 'shop.ts'), source)
  const types = run('npx', ['tsc', '-p', '.'])
  if (types.status !== 0) faults.push(`${name}: does not compile: ${types.text}`)
  await using database = await emptyDatabase()
  const began = performance.now()
  const { text } = run(process.execPath, ['shop.ts'], {
    ...process.env,
    DATABASE_URL: database.url,
  })
  const seconds = (performance.now() - began) / 1_000
  const absent = prints.filter((wanted) => !wanted.test(text))
  if (absent.length > 0) faults.push(`${name}: ${absent.join(', ')} not in:\n${text}`)
  if (seconds > SETTLED_WITHIN_S) faults.push(`${name}: ${seconds.toFixed(1)} s`)
  if (faults.length === before) passed += 1
  const lines = text.trim().split('\n')
  const shown = lines.find((line) => prints.at(-1)?.test(line)) ?? lines.at(-1) ?? ''
  console.log(`${name.padEnd(44)} ${seconds.toFixed(1).padStart(5)} s  ${shown.slice(0, 300)}`)
}

try {
  install()
  for (const one of ATTEMPTS) await attempt(one)
} catch (error) {
  faults.push(error instanceof Error ? error.message : String(error))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.error(`fault: ${fault}`)
console.log(`${passed} passed, ${ATTEMPTS.length - passed} failed`)
process.exitCode = faults.length === 0 ? 0 : 1
