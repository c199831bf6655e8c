import type { Environment } from '../command.ts'
import { faultsOf } from '../commands/config_print.ts'
import { fail, ok, skip, warn, type Check } from './check.ts'

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /is a sandbox key/,
    'Use the key of the production environment (it begins with Mid-), or set GATEWAY_IS_PRODUCTION=false.',
  ],
  [/is not set/, 'Set it in the environment, as NAME_FILE, or in a file named by --env-file.'],
  [/contains white space/, 'Copy the key again, without spaces and line breaks.'],
]

const remedyOf = (fault: string): string =>
  REMEDIES.find(([pattern]) => pattern.test(fault))?.[1] ??
  'Correct it; gapura config print shows all.'

const isAboutKey = (fault: string): boolean => /_KEY is a sandbox key/.test(fault)

/** Every fault of the settings, and whether the key belongs to the environment. */
export function checkSettings(environment: Environment): Check[] {
  const faults = faultsOf(environment)
  const checks = faults.map((fault) =>
    fail(isAboutKey(fault) ? 'key' : 'settings', fault, remedyOf(fault)),
  )
  if (!faults.every(isAboutKey)) return checks
  return [
    ok('settings', 'all can be read'),
    ...checks,
    ...(checks.length === 0 ? [keyShape(environment)] : []),
  ]
}

/** Sandbox keys begin with SB-. */
function keyShape(environment: Environment): Check {
  const key = environment['GATEWAY_SERVER_KEY']?.trim()
  const production = /^(?:true|1)$/.test(environment['GATEWAY_IS_PRODUCTION'] ?? '')
  if (key === undefined) return skip('key', 'the key is in a file; its form was not checked')
  if (production || key.startsWith('SB-')) {
    return ok(
      'key',
      production ? 'a production key, for production' : 'a sandbox key, for the sandbox',
    )
  }
  return warn(
    'key',
    'GATEWAY_SERVER_KEY does not look like a sandbox key, and production is off',
    'Use the key of the sandbox (it begins with SB-), or set GATEWAY_IS_PRODUCTION=true.',
  )
}
