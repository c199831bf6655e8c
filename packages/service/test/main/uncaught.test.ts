import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const KEY = `SB-Mid-server-${'uncaught_'.repeat(2)}`
const API_KEY = `gpk_${'u1'.repeat(16)}`
const sourceOf = (file: string): string =>
  fileURLToPath(new URL(`../../src/main/${file}`, import.meta.url))

/** Runs a process that throws this outside any handler. */
async function ended(thrown: string) {
  const script = `
    import { jsonLogger } from ${JSON.stringify(sourceOf('json_logger.ts'))}
    import { endWhenUncaught } from ${JSON.stringify(sourceOf('uncaught.ts'))}
    endWhenUncaught(jsonLogger())
    ${thrown}
    setTimeout(() => undefined, 60_000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { out, err, code }
}

const ERROR = `Object.assign(
  new Error('401 for ${KEY}', { cause: new Error('sent Bearer ${API_KEY}') }),
  { headers: { authorization: 'Basic ${btoa(`${KEY}:`)}' } },
)`

test.each([
  ['an exception', `setTimeout(() => { throw ${ERROR} })`],
  ['a rejection', `void Promise.reject(${ERROR})`],
  ['what is no error', `setTimeout(() => { throw '${KEY}' })`],
])('%s ends the process with a line of the log, and no secret in it', async (_name, thrown) => {
  const { out, err, code } = await ended(thrown)
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    level: 'error',
    message: 'process ended by an uncaught error',
  })
  expect(err).toBe('')
  for (const secret of [KEY, API_KEY, btoa(`${KEY}:`)]) expect(out).not.toContain(secret)
})

test('without it Node would print them all: the test can fail', async () => {
  const child = spawn(process.execPath, ['-e', `setTimeout(() => { throw ${ERROR} })`])
  const err = await text(child.stderr)
  for (const secret of [KEY, API_KEY, btoa(`${KEY}:`)]) expect(err).toContain(secret)
})

test.each([
  ['ends by itself', '', 0],
  ['is ended by process.exit', 'process.exit(3)', 3],
  ['throws, and nothing catches it', `throw new Error('x')`, 1],
  ['rejects, and nothing catches it', `await Promise.reject(new Error('x'))`, 1],
])('lines written before a process %s are all there', async (_name, ending, status) => {
  const script = `
    import { jsonLogger } from ${JSON.stringify(sourceOf('json_logger.ts'))}
    const log = jsonLogger()
    for (let line = 0; line < 500; line += 1) log.info({ line }, 'before the end')
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  child.stderr.resume()
  const [out, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number]>,
  ])
  const lines = out.trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
    Array.from({ length: 500 }, (_, line) => line),
  )
  expect(code).toBe(status)
})
