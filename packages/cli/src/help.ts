import type { Argument, Command, Flag } from './command.ts'

/** Known to every command. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { summary: 'print the result as JSON, for programs' },
  'env-file': { value: 'file', summary: 'read settings from this file, below the environment' },
  help: { summary: 'show this help' },
}

const shownArgument = ({ name, optional }: Argument): string =>
  optional === true ? `[${name}]` : `<${name}>`

export const usageOf = ({ name, arguments: positionals = [], flags }: Command): string => {
  const required = Object.entries(flags).filter(([, flag]) => flag.required)
  const must = required.map(([flag, { value = '' }]) => ` --${flag} <${value}>`)
  const words = positionals.map((argument) => ` ${shownArgument(argument)}`)
  return `gapura ${name}${words.join('')}${must.join('')} [flags]`
}

export const shownFlag = (name: string, { value }: Flag): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`

export function helpOf(command: Command): string {
  const positionals = command.arguments ?? []
  const rows = [
    ...positionals.map((argument): Row => [shownArgument(argument), argument.summary]),
    ...Object.entries({ ...command.flags, ...COMMON_FLAGS }).map(([name, flag]): Row => [
      shownFlag(name, flag),
      flag.summary,
    ]),
  ]
  const parts = [
    `${command.summary}\n\nUsage: ${usageOf(command)}`,
    ...(command.details === undefined ? [] : [command.details]),
    listed(rows),
    `Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`,
  ]
  return `${parts.join('\n\n')}\n`
}

type Row = [left: string, right: string]

const listed = (rows: readonly Row[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/** All commands, or those of one noun. */
export function overviewOf(commands: readonly Command[], noun?: string): string {
  const shown = commands.filter(({ name }) => noun === undefined || name.startsWith(`${noun} `))
  const rows = shown.map((command): Row => [command.name, command.summary])
  return `Gapura: payments in front of the Midtrans gateway.

Usage: gapura <command> [flags]

${listed(rows)}

gapura <command> --help says more of each; gapura --version says which this is.
Start with: gapura dev
`
}
