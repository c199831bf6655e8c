import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv, type ParseArgsConfig } from 'node:util'
import { Call, UsageError, type Command, type Environment } from './command.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, type ExitCode } from './exit_codes.ts'
import { failureOf, type Failure } from './failure.ts'
import { COMMON_FLAGS, helpOf, overviewOf, usageOf } from './help.ts'
import { Output, type OutputStreams } from './output.ts'
import { DEV_ENV_FILE } from './session.ts'
import { runningDev } from './dev/dev_folder.ts'
import { nearest } from './nearest.ts'

const MANIFEST: unknown = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const VERSION =
  typeof MANIFEST === 'object' && MANIFEST !== null && 'version' in MANIFEST
    ? String(MANIFEST.version)
    : 'unknown'

export interface Invocation extends OutputStreams {
  argv: readonly string[]
  environment: Environment
}

/** Runs one command line and returns its exit code; never throws. */
export async function run({ argv, environment, ...streams }: Invocation): Promise<ExitCode> {
  const json = argv.includes('--json')
  const output = new Output(streams, json)
  const found = findCommand(argv)
  try {
    if (found === undefined) return overview(argv, output)
    const { command, rest } = found
    if (rest.includes('--help') || rest.includes('-h')) {
      output.write(helpOf(command))
      return EXIT.ok
    }
    const call = callOf(command, rest, { environment, output })
    return (await command.run(call)) ?? EXIT.ok
  } catch (error) {
    const failure = failureOf(error)
    if (error instanceof UsageError) {
      failure.advice.push(
        `gapura ${found === undefined ? '' : `${found.command.name} `}--help says more.`,
      )
    }
    printFailure(failure, output)
    return failure.exit_code
  }
}

/** Two words before one: `payments list` is not `payments` with an argument. */
function findCommand(argv: readonly string[]) {
  const words = argv.filter((word) => !word.startsWith('-'))
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = COMMANDS.find((one) => one.name === name)
    if (command !== undefined) return { command, rest: without(argv, length) }
  }
  return undefined
}

function without(argv: readonly string[], words: number): string[] {
  let left = words
  return argv.filter((word) => word.startsWith('-') || left-- <= 0)
}

function overview(argv: readonly string[], output: Output): ExitCode {
  if (argv.includes('--version') || argv.includes('-v')) {
    output.result({ version: VERSION }, () => VERSION)
    return EXIT.ok
  }
  const noun = argv.find((word) => !word.startsWith('-'))
  if (noun === undefined || noun === 'help') {
    output.write(overviewOf(COMMANDS))
    return EXIT.ok
  }
  const related = COMMANDS.some(({ name }) => name.startsWith(`${noun} `))
  if (related && argv.some((word) => word === '--help' || word === '-h')) {
    output.write(overviewOf(COMMANDS, noun))
    return EXIT.ok
  }
  if (related) {
    const known = COMMANDS.filter(({ name }) => name.startsWith(`${noun} `)).map(({ name }) => name)
    throw new UsageError(`there is no command ${noun} alone; there is ${known.join(', ')}`)
  }
  const known = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? name))]
  const meant = nearest(noun, known)
  throw new UsageError(
    `there is no command ${noun}; ${meant === undefined ? `there is ${known.join(', ')}` : `did you mean ${meant}?`}`,
  )
}

interface Surroundings {
  environment: Environment
  output: Output
}

function callOf(command: Command, rest: string[], { environment, output }: Surroundings): Call {
  const { values, positionals } = parsed(command, rest)
  const wanted = command.arguments ?? []
  const absent = wanted.find((argument, place) => !argument.optional && !positionals[place])
  if (absent !== undefined) throw new UsageError(`<${absent.name}> is missing: ${usageOf(command)}`)
  if (positionals.length > wanted.length) {
    throw new UsageError(`too many arguments: ${usageOf(command)}`)
  }
  for (const [name, { required }] of Object.entries(command.flags)) {
    if (required && values[name] === undefined) {
      throw new UsageError(`--${name} is missing: ${usageOf(command)}`)
    }
  }
  const file = values['env-file']
  const settings = settingsOf(environment, typeof file === 'string' ? file : undefined, output)
  return new Call({ command, values, positionals, environment: settings, output })
}

function parsed(command: Command, args: string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, flag] of Object.entries({ ...command.flags, ...COMMON_FLAGS })) {
    const type = flag.value === undefined ? ('boolean' as const) : ('string' as const)
    options[name] = { type, multiple: flag.multiple ?? false }
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const given = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return { values: Object.fromEntries(given), positionals }
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : 'not valid'}: ${usageOf(command)}`,
    )
  }
}

/** The environment overrides a file; settings of a running `gapura dev` come last. */
function settingsOf(
  environment: Environment,
  file: string | undefined,
  output: Output,
): Environment {
  if (file !== undefined) {
    const text = textOf(file)
    if (text === undefined) throw new UsageError(`--env-file: ${file} cannot be read`)
    return { ...parseEnv(text), ...environment }
  }
  if (environment['DATABASE_URL'] || environment['DATABASE_URL_FILE']) return environment
  const running = runningDev()
  if (running === undefined) return environment
  output.progress(`settings of the running gapura dev (${DEV_ENV_FILE})`)
  return { ...parseEnv(running.env), ...environment }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function printFailure(failure: Failure, output: Output): void {
  if (output.json) {
    output.note(JSON.stringify({ error: failure }))
    return
  }
  output.note(`gapura: ${failure.message}`)
  for (const line of failure.advice) output.note(`  ${line}`)
}
