// `npm run <group> [name] [-- arguments]`: runs the commands of one name. Without a name `check` and
// `generate` run all of theirs; the others list what they have.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { GROUPS, type Command, type Group } from './commands.ts'

/** The commands that a name stands for; undefined if the group has no such name. */
export function chosen({ commands, all, runs_all }: Group, name?: string): string[] | undefined {
  if (name === undefined && !runs_all) return undefined
  if (name === undefined || (name === 'all' && all !== undefined)) return [...(all ?? [])]
  return Object.hasOwn(commands, name) ? [name] : undefined
}

export function listing(group: string, { commands, all }: Group): string {
  const rows = Object.entries(commands).map(([name, { says }]) => [name, says])
  if (all !== undefined) rows.push(['all', all.join(', ')])
  const width = Math.max(...rows.map(([name = '']) => name.length))
  const lines = rows.map(([name = '', says = '']) => `  ${name.padEnd(width)}  ${says}`)
  return [`npm run ${group} <name> [-- arguments]`, ...lines].join('\n')
}

async function execute({ run, env }: Command, given: readonly string[]): Promise<number> {
  for (const [index, line] of run.entries()) {
    const [program = '', ...words] = line.split(' ')
    const args = index === run.length - 1 ? [...words, ...given] : words
    const child = spawn(program, args, { stdio: 'inherit', env: { ...env, ...process.env } })
    const stop = (): boolean => child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    const [code] = (await once(child, 'exit')) as [number | null]
    process.off('SIGTERM', stop)
    if (code !== 0) return code ?? 1
  }
  return 0
}

/** One that fails does not stop the others. */
async function main(group: string, [first, ...others]: readonly string[]): Promise<number> {
  const found = GROUPS[group]
  if (found === undefined) throw new Error(`no group of commands is named ${group}`)
  const names = chosen(found, first)
  if (names === undefined) {
    console.log(first === undefined ? '' : `npm run ${group} has no ${first}.`)
    console.log(listing(group, found))
    return first === undefined ? 0 : 1
  }
  const failed: string[] = []
  for (const name of names) {
    if (names.length > 1) console.log(`\n## ${group} ${name}`)
    const one = found.commands[name]
    if (one === undefined || (await execute(one, others)) !== 0) failed.push(name)
  }
  if (names.length > 1 && failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

if (import.meta.main) {
  // A terminal sends SIGINT to the child as well; wait for its end.
  process.on('SIGINT', () => {})
  const [group = '', ...given] = process.argv.slice(2)
  process.exitCode = await main(group, given)
}
