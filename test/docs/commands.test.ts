// Every command that a page shows exists, with every flag it is shown with.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../packages/cli/src/commands.ts'
import { GROUPS } from '../../scripts/commands.ts'
import { chosen } from '../../scripts/run.ts'
import { readTree } from '../../scripts/tidy/tree.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const tree = readTree('.')
const pages = [...tree].filter(([file]) => file.endsWith('.md') && file !== 'docs/cli.md')
const COMMON = ['json', 'env-file', 'help']
const RUNNER = /^(?:npx )?(?:gapura|@gapura\/cli|npm run gapura --) +(.*)$/

interface Shown {
  file: string
  line: string
}

/** Lines of shell blocks, and inline code. */
function shownIn(file: string, text: string): Shown[] {
  const blocks = [...text.matchAll(/^ *```sh[^\n]*\n([\s\S]*?)^ *```/gm)]
  const lines = blocks.flatMap(([, code = '']) => code.replaceAll('\\\n', ' ').split('\n'))
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const inner = lines.flatMap((line) =>
    [...line.matchAll(/\$\((.*?)\)/g)].map(([, one = '']) => one),
  )
  return [...lines, ...inner, ...inline].map((line) => ({ file, line: line.trim() }))
}

const shown = pages
  .flatMap(([file, text]) => shownIn(file, text))
  .filter(({ line }) => RUNNER.test(line) && !/^gapura (?:--help|\/|[A-Z])/.test(line))

function faultOf(line: string): string | undefined {
  const words = (RUNNER.exec(line)?.[1] ?? '').replace(/ #.*$/, '').split(' ')
  const command = [2, 1]
    .map((count) => COMMANDS.find(({ name }) => name === words.slice(0, count).join(' ')))
    .find((found) => found !== undefined)
  if (command === undefined) return 'no such command'
  const flags = [...COMMON, ...Object.keys(command.flags)]
  return [...line.matchAll(/ --([a-z-]+)/g)]
    .map(([, flag = '']) => flag)
    .find((flag) => !flags.includes(flag))
}

describe('commands in the documentation', () => {
  test('are found on the pages', () => {
    expect(shown.length).toBeGreaterThan(30)
  })

  test.each(shown)('$file: $line', ({ line }) => {
    expect(faultOf(line)).toBeUndefined()
  })

  test('a command or flag that does not exist is found', () => {
    expect(faultOf('gapura operations mend <id>')).toBe('no such command')
    expect(faultOf('gapura alarms close <id> --because x')).toBe('because')
  })
})

/** `npm run <script> [<name>]` in pages, comments, test titles and CI. */
function scriptFaults(text: string): string[] {
  return [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(?: ([a-z][\w-]*))?/g)]
    .filter(([, script = '', name]) => {
      if (scripts[script] === undefined) return true
      const group = GROUPS[script]
      return group !== undefined && name !== undefined && chosen(group, name) === undefined
    })
    .map(([shownAs]) => shownAs)
}

describe('npm scripts in the documentation, the code and CI', () => {
  // An example has a package.json and scripts of its own.
  const files = [...tree, ...['.ci/run', '.squawk.toml'].map((file) => [file, read(file)] as const)]
    .filter(([file]) => !file.startsWith('examples/') || file === 'examples/README.md')
    .filter(([file]) => file !== 'test/docs/commands.test.ts')

  test('all exist, with the names given to them', () => {
    const found = files.flatMap(([file, text]) =>
      scriptFaults(text).map((fault) => `${file}: ${fault}`),
    )
    expect(found).toEqual([])
  })

  test('are found in the files', () => {
    const naming = files.filter(([, text]) => text.includes('npm run '))
    expect(naming.length).toBeGreaterThan(50)
  })

  test('a script that does not exist is found', () => {
    expect(scriptFaults('`npm run campaign:kill`')).toEqual(['npm run campaign:kill'])
    expect(scriptFaults('npm run --silent pack:twice')).toEqual(['npm run --silent pack:twice'])
    expect(scriptFaults('`npm run campaign kil -- --n 10`')).toEqual(['npm run campaign kil'])
    expect(scriptFaults('`npm run suite all`')).toEqual(['npm run suite all'])
    expect(scriptFaults('`npm run bench all`, `npm run suite`, `npm run check`')).toEqual([])
  })

  test('the root has at most 16 scripts', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(16)
  })
})

describe('the table of commands', () => {
  const commands = Object.entries(GROUPS).flatMap(([group, { commands: named, all = [] }]) => [
    ...Object.entries(named).map(([name, one]) => ({ name: `${group} ${name}`, ...one })),
    ...all.filter((name) => named[name] === undefined).map((name) => ({ name, run: ['missing'] })),
  ])

  test.each(commands)('$name runs files that exist', ({ run }) => {
    const words = run.flatMap((line) => line.split(' '))
    const paths = words.filter((word) => /\/|\.ts$/.test(word) && !/[@=]/.test(word))
    expect(paths.filter((file) => !existsSync(file))).toEqual([])
    const programs = run.map((line) => line.split(' ')[0] ?? '')
    const known = ['node', 'npm', 'vitest', 'tsc', 'oxlint', 'oxfmt', 'knip']
    expect(programs.filter((program) => !known.includes(program))).toEqual([])
  })

  test('every campaign and bench has a row', () => {
    const run = commands.flatMap((one) => one.run).join('\n')
    const all = [...tree.keys()].filter(
      (file) => /^campaigns\/\w+\.ts$/.test(file) || /^bench\/(?:\w+\/)?run\.ts$/.test(file),
    )
    expect(all.length).toBeGreaterThan(15)
    expect(all.filter((file) => !run.includes(file))).toEqual([])
  })

  test('without a name, or with an unknown one, the command lists its names', () => {
    const ask = (...given: string[]) =>
      spawnSync(process.execPath, ['scripts/run.ts', ...given], { encoding: 'utf8' })
    const listed = ask('campaign')
    expect(listed.status).toBe(0)
    expect(listed.stdout).toMatch(/^ {2}kill +\S/m)
    const unknown = ask('campaign', 'kil')
    expect(unknown.status).toBe(1)
    expect(unknown.stdout).toContain('npm run campaign has no kil.')
    expect(unknown.stdout).toMatch(/^ {2}lost-webhooks +\S/m)
    expect(ask('suite', 'constructor').status).toBe(1)
  })

  test('further arguments reach the command, and its exit code is returned', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gapura-run-'))
    const file = path.join(folder, 'sbom.json')
    const ask = (...given: string[]) =>
      spawnSync(process.execPath, ['scripts/run.ts', 'generate', 'sbom', ...given])
    expect(ask('-o', file).status).toBe(0)
    expect(JSON.parse(read(file))).toHaveProperty('components')
    expect(ask('--no-such-option').status).toBe(1)
    rmSync(folder, { recursive: true })
  })
})
