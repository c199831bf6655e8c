// Roles, sessions and API keys, managed by those with `staff:manage`.
import { Type } from 'typebox'
import { SCOPES, type Caller, type Scope } from '../../domain/caller.ts'
import { listRoles as listStored, putRole, type StaffRole } from '../../store/access/people.ts'
import {
  listSessions as listStoredSessions,
  type StaffSession,
} from '../../store/access/sessions.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'
import { createApiKey, endApiKey } from './callers.ts'
import { requireAll, ROLE_NAME, WHY, type By } from './people.ts'
import { requireStaff } from './staff_caller.ts'

const closed = { additionalProperties: false }
const maybe = Type.Optional
const scopes = Type.Array(Type.Enum([...SCOPES]), {
  maxItems: SCOPES.length,
  description: 'What it allows.',
})

export const ROLE_INPUT = Type.Object({ name: ROLE_NAME, scopes, reason: WHY }, closed)

export const KEY_INPUT = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description: 'Shown in the list of keys.',
    }),
    owner_id: maybe(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The owner that the key acts as; left out for a staff key.',
      }),
    ),
    staff: maybe(
      Type.Boolean({
        description:
          'Whether it is a staff key, which acts in the name of the person who makes it.',
      }),
    ),
    scopes,
    expires_in_days: maybe(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Without it the key does not expire.',
      }),
    ),
    reason: WHY,
  },
  closed,
)

export const REVOKE_INPUT = Type.Object({ reason: WHY }, closed)

const parseRole = keptTextParser(ROLE_INPUT)
const parseKey = keptTextParser(KEY_INPUT)
const parseRevoke = keptTextParser(REVOKE_INPUT)

/** All roles with their scopes. */
export async function listRoles(ctx: Context, caller: Caller): Promise<{ results: StaffRole[] }> {
  requireStaff(caller, 'staff:manage')
  const results = await withReadTransaction(ctx.db, async (tx) => await listStored(tx))
  return { results }
}

/** Creates a role or replaces its scopes, from the next request of each of its people on. */
export async function setRole(ctx: Context, by: By, input: unknown): Promise<StaffRole> {
  const { caller, request_id } = by
  requireStaff(caller, 'staff:manage')
  const { name, scopes: wanted, reason } = parseRole(input)
  const given: readonly Scope[] = SCOPES.filter((scope) => wanted.includes(scope))
  return await withTransaction(ctx.db, async (tx) => {
    const [before] = await listStored(tx, name)
    requireAll(caller, [...given, ...(before?.scopes ?? [])])
    if (before?.scopes.includes('staff:manage') === true && !given.includes('staff:manage')) {
      refuseFaults([
        {
          field: 'scopes',
          message: 'staff:manage stays: give the people another role instead',
        },
      ])
    }
    await putRole(tx, { name, scopes: given })
    await recordAudit(tx, ctx, caller, {
      action: 'role.update',
      subject_kind: 'role',
      subject_id: name,
      reason: reason ?? null,
      request_id,
      detail: { scopes: given, former_scopes: before?.scopes ?? null },
    })
    const [role] = await listStored(tx, name)
    if (role === undefined) throw new RequestProblem('not_found')
    return role
  })
}

/** A page of all sessions, newest first. */
export async function listSessions(
  ctx: Context,
  caller: Caller,
  _filters: object,
  page: PageRequest,
): Promise<Page<StaffSession>> {
  requireStaff(caller, 'staff:manage')
  return await withReadTransaction(ctx.db, async (tx) => await listStoredSessions(tx, page))
}

const DAY_MS = 86_400_000

/**
 * Creates an API key. A staff key acts in the name of its creator, so that the creator is not a
 * second person by it (ADR 0010).
 */
export async function createKey(ctx: Context, { caller }: By, input: unknown) {
  requireStaff(caller, 'staff:manage')
  const { name, owner_id, staff = false, expires_in_days, reason, ...given } = parseKey(input)
  requireAll(caller, given.scopes)
  if (staff === (owner_id !== undefined)) {
    refuseFaults([{ field: 'owner_id', message: 'is required, except for a staff key' }])
  }
  const expires_at =
    expires_in_days === undefined ? null : new Date(Date.now() + expires_in_days * DAY_MS)
  const key = {
    owner_id: owner_id ?? caller.owner_id,
    name,
    staff,
    scopes: SCOPES.filter((scope) => given.scopes.includes(scope)),
  }
  const made = await createApiKey(ctx, {
    ...key,
    ...(expires_at !== null && { expires_at }),
    by: caller.owner_id,
    ...(reason !== undefined && { reason }),
  })
  return { ...made, ...key, expires_at }
}

/** Revokes a key from the next request on. */
export async function revokeKey(
  ctx: Context,
  { caller }: By,
  id: string,
  input: unknown,
): Promise<{ id: string } | undefined> {
  requireStaff(caller, 'staff:manage')
  const { reason } = parseRevoke(input ?? {})
  const change = { by: caller.owner_id, ...(reason !== undefined && { reason }) }
  return (await endApiKey(ctx, id, change)) ? { id } : undefined
}
