import { ConfigError, readConfig } from 'gapura'
import type { Command, Environment } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { table } from '../output.ts'
import { SETTINGS, type Setting } from '../settings.ts'

interface Shown {
  name: string
  value: string | null
  source: 'environment' | 'file' | 'default'
  summary: string
}

/** Shows that a secret is set and its kind, never a part of it. */
function shown({ name, kind, otherwise, summary }: Setting, environment: Environment): Shown {
  const file = environment[`${name}_FILE`]
  if (file) return { name, value: `(in ${file})`, source: 'file', summary }
  const value = environment[name]?.trim()
  if (!value) return { name, value: otherwise, source: 'default', summary }
  return { name, value: REDACTED[kind](value), source: 'environment', summary }
}

const REDACTED: Readonly<Record<Setting['kind'], (value: string) => string>> = {
  plain: (value) => value,
  secret: (value) =>
    `(set, ${value.length} characters${value.startsWith('SB-') ? ', sandbox' : ''})`,
  url: (value) => {
    if (!URL.canParse(value)) return '(set, not a URL)'
    const url = new URL(value)
    if (url.password !== '') url.password = '***'
    return url.href
  },
}

export const configPrint: Command = {
  name: 'config print',
  summary: 'Show the settings as the service will read them, without secrets.',
  details:
    'Passwords and keys are never shown, with or without --redacted, so the output can be pasted into a ticket. Prints every fault at once.',
  flags: { redacted: { summary: 'has no effect: secrets are never shown' } },
  examples: ['gapura config print --redacted', 'gapura config print --json'],
  run: async ({ environment, output }) => {
    const settings = SETTINGS.map((setting) => shown(setting, environment))
    const faults = faultsOf(environment)
    output.result({ settings, faults }, () =>
      table(settings, [
        { title: 'SETTING', of: ({ name }) => name },
        { title: 'VALUE', of: ({ value }) => value ?? '-' },
        { title: 'FROM', of: ({ source }) => source },
      ]),
    )
    if (!output.json) for (const fault of faults) output.note(`Fault: ${fault}`)
    return await Promise.resolve(faults.length === 0 ? EXIT.ok : EXIT.settings)
  },
}

export function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}
