import { SCOPES, type Scope } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { AS_FLAG, keyChangeOf, withGapura } from '../session.ts'

const isScope = (scope: string): scope is Scope => SCOPES.some((known) => known === scope)

/** The scopes that narrow the key, or undefined for all that its owner or staff may do. */
function scopesOf(call: Call): Scope[] | undefined {
  const given = call.texts('scope')
  if (call.on('read-only') && given.length > 0) {
    throw new UsageError('--read-only and --scope exclude each other')
  }
  if (call.on('read-only')) return call.on('staff') ? ['staff:read'] : []
  if (given.length === 0) return undefined
  const scopes = given.filter(isScope)
  if (scopes.length < given.length) {
    const wrong = given.filter((scope) => !isScope(scope))
    throw new UsageError(`no such scope: ${wrong.join(', ')}; there is ${SCOPES.join(', ')}`)
  }
  if (!call.on('staff') && scopes.some((scope) => scope.startsWith('staff:'))) {
    throw new UsageError('scopes of staff are for keys of staff: add --staff')
  }
  // Without it the key would see every payment and no page of the dashboard.
  return [...new Set(call.on('staff') ? ['staff:read' as const, ...scopes] : scopes)]
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key. It is printed once and not stored.',
  details: `Without --scope the key may do everything with its owner's objects; with --staff, with every owner's. --scope narrows that: ${SCOPES.join(', ')}. Reading needs no scope; --read-only gives none. A key of staff acts on other owners' objects with staff:act beside the scope of the action.`,
  flags: {
    owner: { value: 'owner', summary: 'the owner whose payments it reads', required: true },
    name: { value: 'name', summary: 'its name in the list of keys', required: true },
    scope: {
      value: 'scope',
      summary: 'only this, instead of everything; may be repeated',
      multiple: true,
    },
    'read-only': { summary: 'may read and change nothing' },
    staff: { summary: 'sees the objects of every owner, and the dashboard' },
    reason: { value: 'text', summary: 'why, for the audit' },
    as: AS_FLAG,
    'expires-in-days': { value: 'n', summary: 'how long it is valid (default: until revoked)' },
  },
  examples: [
    'gapura keys create --owner shop --name checkout',
    'gapura keys create --owner shop --name till --scope payments:write',
    'gapura keys create --owner dewi --name desk --staff --scope staff:act --scope payments:refund',
  ],
  run: async (call) => {
    const days = call.integer('expires-in-days', { min: 1, max: 3_650 })
    const scopes = scopesOf(call)
    const order = {
      owner_id: call.required('owner'),
      name: call.required('name'),
      staff: call.on('staff'),
      ...(scopes && { scopes }),
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
