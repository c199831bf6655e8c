// Staff accounts, managed by those with `staff:manage`. A person gives no right that they lack and
// does not change their own account, so the last one who manages cannot be removed by mistake.
import { Type } from 'typebox'
import type { ActionOn } from '../../domain/audit.ts'
import type { Caller, Scope } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { isStaffId, staffIdOf } from '../../domain/staff.ts'
import * as store from '../../store/access/people.ts'
import type { StaffPerson, StaffRole } from '../../store/access/people.ts'
import { endSessionsOf } from '../../store/access/sessions.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { newId } from '../../store/sql/values.ts'
import { recordAudit, recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import type { Request } from '../requests.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'
import { newToken, tokenHash } from './sessions.ts'
import { requireStaff } from './staff_caller.ts'

export type By = Pick<Request, 'caller' | 'request_id'>

const closed = { additionalProperties: false }
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })

export const ROLE_NAME = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: 'The name of the role.',
})
export const WHY = maybe(
  Type.String({ maxLength: 255, description: 'Why; it is stored in the audit.' }),
)

export const INVITATION_INPUT = Type.Object(
  {
    email: Type.String({
      pattern: '^[^@\\s]{1,120}@[^@\\s]{1,120}$',
      description: 'The address with which the person signs in.',
    }),
    name: text(255, 'The name of the person.'),
    role: ROLE_NAME,
    staff_id: maybe(
      text(100, 'The name in the audit, for ever; by default the e-mail address before the @.'),
    ),
  },
  closed,
)
export const PERSON_CHANGE = Type.Object(
  {
    name: maybe(text(255, 'The name of the person.')),
    role: maybe(ROLE_NAME),
    disabled: maybe(Type.Boolean({ description: 'Whether the person may not sign in.' })),
    reason: WHY,
  },
  closed,
)

const parseInvitation = keptTextParser(INVITATION_INPUT)
const parseChange = keptTextParser(PERSON_CHANGE)

/** 403 unless the caller has each of these scopes. */
export function requireAll({ scopes: own }: Caller, given: readonly Scope[]): void {
  const missing = given.filter((scope) => !own.includes(scope))
  if (missing.length === 0) return
  const detail = `Only a person with the scope ${missing.join(', ')} may do this.`
  throw new RequestProblem('forbidden', detail)
}

async function roleNamed(tx: Tx, name: string): Promise<StaffRole> {
  const [found] = await store.listRoles(tx, name)
  if (found !== undefined) return found
  throw gatewayError('invalid_request', { errors: [{ field: 'role', message: 'is unknown' }] })
}

/** Hours until a one-time link ends. */
const LINK_HOURS = 48

export interface InvitedPerson extends StaffPerson {
  /** For the link `dashboard/#/join?token=…`, shown this once. */
  link_token: string
}

/** Creates the account and its one-time link. */
export async function invitePerson(ctx: Context, by: By, input: unknown): Promise<InvitedPerson> {
  requireStaff(by.caller, 'staff:manage')
  const given = parseInvitation(input)
  const { email, name, staff_id = staffIdOf(email) } = given
  if (!isStaffId(staff_id)) {
    refuseFaults([{ field: 'staff_id', message: 'lower-case letters, digits and . _ -' }])
  }
  return await withTransaction(ctx.db, async (tx) => {
    requireAll(by.caller, (await roleNamed(tx, given.role)).scopes)
    const id = newId()
    const person = await store.insertPerson(tx, { id, staff_id, email, name, role: given.role })
    if (person === undefined) {
      throw gatewayError('invalid_request', {
        errors: [{ field: 'email', message: 'this address or staff_id has an account already' }],
      })
    }
    await note(tx, ctx, by, { verb: 'invite', person, detail: { staff_id, role: given.role } })
    return await linked(tx, id)
  })
}

async function linked(tx: Tx, id: string): Promise<InvitedPerson> {
  const link_token = newToken('gpl')
  const link = { link_hash: tokenHash(link_token), hours: LINK_HOURS }
  const person = await store.setLink(tx, id, link)
  if (person === undefined) throw new RequestProblem('not_found')
  return { ...person, link_token }
}

interface Act {
  verb: ActionOn<'person'>
  person: Pick<StaffPerson, 'id'>
  reason?: string | undefined
  detail?: Readonly<Record<string, unknown>>
}

/** The person by id alone: names and addresses do not belong in the audit (ADR 0022). */
const note = async (
  tx: Tx,
  ctx: Context,
  { caller, request_id }: By,
  { verb, person, reason: why, detail = {} }: Act,
): Promise<void> =>
  await recordAudit(tx, ctx, caller, {
    action: `person.${verb}`,
    subject_kind: 'person',
    subject_id: person.id,
    reason: why ?? null,
    request_id,
    detail,
  })

/** Locks a person whom the caller may change: somebody else, with no more rights than the caller. */
async function lockChangeable(tx: Tx, { caller }: By, id: string): Promise<StaffPerson> {
  const person = await store.lockPerson(tx, id)
  if (person === undefined) throw new RequestProblem('not_found')
  if (person.staff_id === caller.owner_id) {
    throw new RequestProblem('forbidden', 'Another person has to change your own account.')
  }
  requireAll(caller, (await roleNamed(tx, person.role)).scopes)
  return person
}

/** Changes name or role, or disables the account, which ends its sessions. */
export async function updatePerson(
  ctx: Context,
  by: By,
  id: string,
  input: unknown,
): Promise<StaffPerson | undefined> {
  requireStaff(by.caller, 'staff:manage')
  const { reason: why, ...given } = parseChange(input)
  return await withTransaction(ctx.db, async (tx) => {
    const before = await lockChangeable(tx, by, id)
    const { name, role: wanted } = { ...before, ...given }
    const { disabled = before.disabled_at !== null } = given
    requireAll(by.caller, (await roleNamed(tx, wanted)).scopes)
    const person = await store.changePerson(tx, id, { name, role: wanted, disabled })
    if (disabled) await endSessionsOf(tx, id)
    const detail = {
      ...(given.role !== undefined && { role: given.role, former_role: before.role }),
      ...(given.disabled !== undefined && { disabled }),
      ...(given.name !== undefined && { name: 'changed' }),
    }
    await note(tx, ctx, by, { verb: 'update', person: before, reason: why, detail })
    return person
  })
}

/** A new one-time link, for a lost password or phone. The former ways in stay until it is used. */
export async function linkPerson(ctx: Context, by: By, id: string): Promise<InvitedPerson> {
  requireStaff(by.caller, 'staff:manage')
  return await withTransaction(ctx.db, async (tx) => {
    const person = await lockChangeable(tx, by, id)
    await note(tx, ctx, by, { verb: 'link', person })
    return await linked(tx, id)
  })
}

/** Ends every session of a person. */
export async function signOutPerson(ctx: Context, by: By, id: string): Promise<StaffPerson> {
  requireStaff(by.caller, 'staff:manage')
  return await withTransaction(ctx.db, async (tx) => {
    const person = await store.lockPerson(tx, id)
    if (person === undefined) throw new RequestProblem('not_found')
    const ended = await endSessionsOf(tx, id)
    await note(tx, ctx, by, { verb: 'sign_out', person, detail: { ended } })
    return person
  })
}

/** A page of all people; reading it is audited, because it shows their addresses. */
export async function listPeople(
  ctx: Context,
  caller: Caller,
  _filters: object,
  page: PageRequest,
): Promise<Page<StaffPerson>> {
  requireStaff(caller, 'staff:manage')
  const found = await withReadTransaction(ctx.db, async (tx) => await store.listPeople(tx, page))
  const shown = found.results.map(({ id, staff_id }) => ({ id, owner_id: staff_id }))
  await recordListRead(ctx, caller, 'person.list', shown)
  return found
}
