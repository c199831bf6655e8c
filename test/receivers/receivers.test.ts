// The receivers of docs/webhooks.md, each in its own language, against the published vectors.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { GapuraEventError, verifyEvent } from '@gapura/sdk'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'

interface Vector {
  name: string
  accepted: boolean
  /** The clock of the receiver. */
  now: number
  secrets: string[]
  headers: Record<string, string>
  body: string
}

const FOLDER = import.meta.dirname
const RECEIVERS = path.join(FOLDER, '../../examples/receivers')
const file = path.join(FOLDER, 'vectors.json')
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }
const expected = vectors.map(({ name, accepted, headers }) =>
  [name, accepted ? headers['webhook-id'] : 'refused'].join('\t'),
)

const run = (program: string, args: string[], options: object = {}): string[] =>
  execFileSync(program, args, { encoding: 'utf8', ...options }).split('\n')

/** Copied to a folder of their own: a Go test stands beside what it tests. */
function runGo(): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(path.join(RECEIVERS, 'receiver.go'), path.join(folder, 'receiver.go'))
  cpSync(path.join(FOLDER, 'receiver_test.go'), path.join(folder, 'receiver_test.go'))
  writeFileSync(path.join(folder, 'go.mod'), 'module receiver\n\ngo 1.19\n')
  const env = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', ...process.env }
  return run('go', ['test', '-count=1', '-v', '.'], { cwd: folder, env: { ...env, VECTORS: file } })
}

const LANGUAGES = [
  { name: 'PHP', version: ['php', '--version'], run: () => run('php', [`${FOLDER}/check.php`]) },
  {
    name: 'Python',
    version: ['python3', '--version'],
    run: () => run('python3', [`${FOLDER}/check.py`]),
  },
  { name: 'Go', version: ['go', 'version'], run: runGo },
].map((language) => {
  const [program = '', ...args] = language.version
  const installed = spawnSync(program, args).status === 0
  return { ...language, installed, title: installed ? 'runs' : `left out: no ${program} here` }
})

test('the vectors have good, forged, old, wrong-secret and rotated ones, each name once', () => {
  const kinds = ['good', 'forged', 'old', 'wrong secret', 'rotated']
  const lacking = kinds.filter((kind) => !vectors.some(({ name }) => name.startsWith(kind)))
  expect(lacking).toEqual([])
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
})

describe('TypeScript', () => {
  test.each(vectors)('the SDK: $name', async ({ accepted, now, secrets, headers, body }) => {
    const verified = verifyEvent({ body, headers, secrets, now: new Date(now * 1_000) })
    if (accepted) expect((await verified).id).toBe(headers['webhook-id'])
    else await expect(verified).rejects.toBeInstanceOf(GapuraEventError)
  })

  test.each(vectors.filter(({ accepted }) => accepted))(
    'the reference library signs as the vector: $name',
    ({ secrets, headers, body }) => {
      const { 'webhook-id': id = '', 'webhook-timestamp': at, 'webhook-signature': all } = headers
      const stamp = new Date(Number(at) * 1_000)
      const signed = secrets.map((secret) => new Webhook(secret).sign(id, stamp, body))
      expect(all?.split(' ').some((one) => signed.includes(one))).toBe(true)
    },
  )
})

describe.each(LANGUAGES)('$name', ({ installed, title, run: verdicts }) => {
  test.skipIf(!installed)(`${title}: accepts and refuses what the vectors say`, () => {
    const printed = verdicts().filter((line) => /^(?!ok \s).*\t/.test(line))
    expect(printed).toEqual(expected)
  })
})

test.each([
  ['php', 'receiver.php'],
  ['python', 'receiver.py'],
  ['go', 'receiver.go'],
])('docs/webhooks.md shows the %s receiver as it was tested', (language, name) => {
  const page = readFileSync(path.join(FOLDER, '../../docs/webhooks.md'), 'utf8')
  const code = readFileSync(path.join(RECEIVERS, name), 'utf8')
  expect(page).toContain(`\`\`\`${language}\n${code}\`\`\`\n`)
})
