// Every command that a page shows exists, with every flag it is shown with.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../packages/cli/src/commands.ts'
import { readTree } from '../../scripts/tidy/tree.ts'

const tree = readTree('.')
const pages = [...tree].filter(([file]) => file.endsWith('.md') && file !== 'docs/cli.md')
const COMMON = ['json', 'env-file', 'help']
const RUNNER = /^(?:npx )?(?:gapura|@gapura\/cli|npm run gapura --) +(.*)$/

interface Shown {
  file: string
  line: string
}

/** Lines of shell blocks, and what stands in text as code. */
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
  test('there are many', () => {
    expect(shown.length).toBeGreaterThan(30)
  })

  test.each(shown)('$file: $line', ({ line }) => {
    expect(faultOf(line)).toBeUndefined()
  })

  test('a command or flag that does not exist is noticed', () => {
    expect(faultOf('gapura operations mend <id>')).toBe('no such command')
    expect(faultOf('gapura alarms close <id> --because x')).toBe('because')
  })
})

test('every npm script that a page shows exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = pages
    .filter(([file]) => !file.startsWith('examples/'))
    .flatMap(([, text]) => [...text.matchAll(/npm run ([a-z0-9:_-]+)/g)].map(([, name]) => name))
  expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([])
})
