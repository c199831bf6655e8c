// The settings, found by running the code: every variable it reads, the values it takes (from the
// error it reports), and its default (setting it changes nothing).
import { isDeepStrictEqual } from 'node:util'
import { ConfigError, readConfig } from 'gapura'
import { made, table } from './made.ts'
import { SETTING_TEXTS } from './setting_texts.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/shop',
  GATEWAY_SERVER_KEY: 'SB-Mid-server-simulator',
}

/** Every name that the code reads, in that order. */
export function settingNames(): string[] {
  const asked = new Set<string>()
  const environment = new Proxy<Record<string, string | undefined>>(REQUIRED, {
    get: (values, name) => {
      if (typeof name === 'string' && !name.endsWith('_FILE')) asked.add(name)
      return Reflect.get(values, name) as string | undefined
    },
  })
  readConfig(environment)
  return [...asked]
}

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

/** The values it takes, from the error message for an invalid value. */
function takes(name: string): string {
  const fault = faultsOf({ ...REQUIRED, [name]: '\u0001 \\' }).find((one) => one.startsWith(name))
  const words = fault?.slice(name.length).trim() ?? 'text'
  if (words === 'contains white space') return 'text without white space'
  const pattern = /^must match (.*)$/.exec(words)?.[1]
  if (pattern !== undefined) return `text like \`${pattern.replaceAll('|', '\\|')}\``
  return words.replace(/^(is|are) /, '').replace('is one of', 'one of')
}

export const isRequired = (name: string): boolean =>
  faultsOf({}).some((fault) => fault === `${name} is not set`)

/** Whether setting the default is the same as setting nothing. */
export const isDefault = (name: string, value: string): boolean =>
  isDeepStrictEqual(readConfig({ ...REQUIRED, [name]: value }), readConfig(REQUIRED))

export function configurationPage(): string {
  const names = settingNames()
  const described = Object.keys(SETTING_TEXTS).filter((name) => names.includes(name))
  const rows = [...new Set([...described, ...names])].map((name) => {
    const { what, otherwise } = SETTING_TEXTS[name] ?? { what: '' }
    const standard = otherwise === undefined ? '–' : `\`${otherwise}\``
    return [`\`${name}\``, takes(name), isRequired(name) ? '**required**' : standard, what]
  })
  return `${made('Configuration')}
The stand-alone server and the command line read these from the environment, once, at the start. All errors are reported together, and no value is printed. \`gapura config print\` shows the settings as they were read, without secrets; \`gapura doctor\` tests them.

Every variable can be given as a file instead: \`GATEWAY_SERVER_KEY_FILE=/run/secrets/server_key\`. Setting both is an error.

${table(['Variable', 'Takes', 'If not set', 'What it does'], rows)}

In your own application these are options of \`createGapura\`, and \`readConfig()\` reads them from the environment:

\`\`\`ts
import { createGapura, readConfig } from 'gapura'

const gapura = createGapura(readConfig().gapura)
\`\`\`
`
}
