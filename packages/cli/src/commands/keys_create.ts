import { SCOPES, type Scope } from 'gapura'
import { UsageError, type Command } from '../command.ts'
import { AS_FLAG, keyChangeOf, withGapura } from '../session.ts'

const isScope = (scope: string): scope is Scope => SCOPES.some((known) => known === scope)

/** Without staff:read a staff key would be an ordinary owner's key. */
const scopesOf = (given: readonly string[], staff: boolean): Scope[] => {
  const wrong = given.filter((scope) => !isScope(scope))
  if (wrong.length > 0) {
    throw new UsageError(`no such scope: ${wrong.join(', ')}; there is ${SCOPES.join(', ')}`)
  }
  const wanted = staff ? ['staff:read', ...given] : given
  if (!staff && wanted.some((scope) => scope.startsWith('staff:'))) {
    throw new UsageError('scopes of staff are for keys of staff: add --staff')
  }
  return [...new Set(wanted.filter(isScope))]
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key. It is printed once and not stored.',
  details: `Scopes: ${SCOPES.join(', ')}. Reading own objects needs none; charging needs payments:write. A key of staff has staff:read, and acts on other owners' objects with staff:act beside the scope of the action.`,
  flags: {
    owner: { value: 'owner', summary: 'the owner whose payments it reads', required: true },
    name: { value: 'name', summary: 'its name in the list of keys', required: true },
    scope: { value: 'scope', summary: 'what it may do; may be repeated', multiple: true },
    staff: { summary: 'reads the payments of every owner (staff:read)' },
    reason: { value: 'text', summary: 'why, for the audit' },
    as: AS_FLAG,
    'expires-in-days': { value: 'n', summary: 'how long it is valid (default: until revoked)' },
  },
  examples: [
    'gapura keys create --owner shop --name checkout --scope payments:write',
    'gapura keys create --owner dewi --name desk --staff --scope staff:act --scope payments:refund',
  ],
  run: async (call) => {
    const days = call.integer('expires-in-days', { min: 1, max: 3_650 })
    const order = {
      owner_id: call.required('owner'),
      name: call.required('name'),
      staff: call.on('staff'),
      scopes: scopesOf(call.texts('scope'), call.on('staff')),
      ...(days !== undefined && { expires_at: new Date(Date.now() + days * 86_400_000) }),
    }
    const made = await withGapura(
      call,
      async (gapura) => await gapura.createApiKey({ ...order, ...keyChangeOf(call) }),
    )
    call.output.result({ ...made, ...order }, () => made.key)
    if (call.output.json) return
    call.output.note(`Key ${made.id} of ${order.owner_id}. Write it down: it is not shown again.`)
    call.output.note(`Use it as: Authorization: Bearer ${made.key.slice(0, 8)}…`)
  },
}
