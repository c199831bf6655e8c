import type { Static, TSchema } from 'typebox'
import type { FieldFault } from '../domain/charge_rules.ts'
import { gatewayError } from '../domain/errors.ts'
import { hideSecrets } from '../domain/secret_shapes.ts'
import { compiledOnce } from '../gateway/wire/shape.ts'

const FAULTS_MAX = 20
const NAME_LENGTH_MAX = 100

/** Throws `invalid_request` with all faults, if there are any. */
export function refuseFaults(errors: readonly FieldFault[]): void {
  if (errors.length === 0) return
  throw gatewayError('invalid_request', { errors: errors.slice(0, FAULTS_MAX) })
}

/**
 * A parser for requests of this shape: returns typed input, or throws `invalid_request` naming
 * every faulty field. HTTP and the in-process API use the same one. Values are never echoed: they
 * may be secret.
 */
export function requestParser<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  const validatorOf = compiledOnce(schema)
  return (input) => {
    const validator = validatorOf()
    if (validator.Check(input)) return input
    const faults = new Map<string, string>()
    for (const { instancePath, message, keyword, params } of validator.Errors(input)) {
      const extra: unknown = 'additionalProperties' in params ? params.additionalProperties : []
      const unknown = Array.isArray(extra) ? extra.map(String) : []
      const path = instancePath.slice(1).replaceAll('/', '.')
      for (const name of unknown)
        faults.set(path === '' ? name : `${path}.${name}`, 'unknown field')
      // The error about a union says less than the errors of its alternatives.
      if (unknown.length === 0 && keyword !== 'anyOf')
        faults.set(path === '' ? 'body' : path, message)
    }
    // A field name may be a value that was put in the wrong place.
    const errors = [...faults].map(([field, message]) => ({
      field: hideSecrets(field).slice(0, NAME_LENGTH_MAX),
      message,
    }))
    throw gatewayError('invalid_request', { errors: errors.slice(0, FAULTS_MAX) })
  }
}
