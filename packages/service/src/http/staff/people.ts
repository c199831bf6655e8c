// Staff accounts, roles, sessions and API keys; and the audit.
import { SCOPES } from '../../domain/caller.ts'
import { ACTOR_KINDS } from '../../domain/audit.ts'
import { SIGN_IN_METHODS } from '../../domain/staff.ts'
import * as people_service from '../../services/access/people.ts'
import * as managed from '../../services/access/roles_and_keys.ts'
import { endSession } from '../../services/access/sessions.ts'
import {
  AUDIT_EXPORT_QUERY,
  AUDIT_QUERY,
  exportAudit,
  listAudit,
} from '../../services/staff/audit.ts'
import { KEY_QUERY, parseKeyQuery } from '../../services/staff/staff_query.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { route } from '../platform/route.ts'
import {
  count,
  countOrNull,
  listOf,
  named,
  oneOf,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  yesOrNo,
} from '../platform/schema.ts'

const scopes = listOf(oneOf(SCOPES, 'A scope.'), 'What it allows.')

const person = {
  id: uuid('The id of the person.'),
  staff_id: text('The name under which actions are recorded. It never changes.'),
  email: text('The address with which the person signs in.'),
  name: text('The name of the person.'),
  role: text('The role, which decides what the person may do.'),
  has_password: yesOrNo('Whether the person signs in with password and code.'),
  has_oidc: yesOrNo('Whether the account is linked to the identity provider.'),
  has_passkey: yesOrNo('Whether the person signs in with a passkey.'),
  created_at: time('When the account was created.'),
  signed_in_at: timeOrNull('When the person last signed in; null: never.'),
  disabled_at: timeOrNull('When the account was disabled; null: it is in use.'),
  locked_until: timeOrNull('Until when passwords are refused after too many wrong ones.'),
  link_expires_at: timeOrNull('Until when the one-time link is valid; null: there is none.'),
}
const PERSON = named('StaffPerson', person)
export const PERSON_PAGE = pageOf('StaffPersonPage', PERSON)
const INVITED = named('InvitedPerson', {
  ...person,
  link_token: text('For the link dashboard/#/join?token=…, shown this once.'),
})

export const SESSION_PAGE = pageOf(
  'StaffSessionPage',
  named('StaffSession', {
    id: uuid('The id of the session.'),
    person_id: uuidOrNull('The person; null if a staff key opened it.'),
    owner_id: text('The name under which actions are recorded.'),
    method: oneOf(SIGN_IN_METHODS, 'How it was opened.'),
    created_at: time('When it was opened.'),
    used_at: time('When it was last used, accurate to a minute.'),
    expires_at: time('When it ends at the latest.'),
    ended_at: timeOrNull('When it was ended; null: it was not.'),
  }),
)

const ROLE = named('StaffRole', {
  name: text('The name of the role.'),
  scopes,
  people: count('How many people have it, without disabled ones.'),
  updated_at: time('When it was last changed.'),
})

const CREATED_KEY = named('CreatedKey', {
  id: uuid('The id of the key.'),
  key: text('The key, shown this once.'),
  owner_id: text('The owner that the key acts as.'),
  name: text('Shown in the list of keys.'),
  staff: yesOrNo('Whether it is a staff key.'),
  scopes,
  expires_at: timeOrNull('When the key stops working; null: never.'),
})

const ENDED = named('EndedById', { id: uuid('The id of what was ended.') })

const managing = { access: 'staff', scope: 'staff:manage' } as const
const changing = { ...managing, method: 'POST' } as const

export const people = {
  listPeople: listRoute(
    {
      ...managing,
      path: '/staff/people/',
      operation: 'list_staff_people',
      summary: 'List the staff accounts, newest first',
      query: KEY_QUERY,
      reply: PERSON_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseKeyQuery, find: people_service.listPeople },
  ),

  invitePerson: route({
    ...changing,
    path: '/staff/people/',
    operation: 'invite_staff_people',
    summary: 'Create a staff account and the one-time link to set up how to sign in',
    input: titled('InvitationInput', people_service.INVITATION_INPUT),
    status: 201,
    reply: INVITED,
    errors: ['invalid_request'],
    repeat: 'a second account with the same address is `invalid_request`.',
    run: async (ctx, { request, input }) => await people_service.invitePerson(ctx, request, input),
  }),

  updatePerson: route({
    ...changing,
    path: '/staff/people/{pk}/update/',
    operation: 'update_staff_people',
    summary: 'Change name or role of a staff account, disable it or enable it again',
    input: titled('PersonChange', people_service.PERSON_CHANGE),
    reply: PERSON,
    errors: ['invalid_request'],
    repeat: 'the same change again changes nothing.',
    run: async (ctx, { request, id, input }) =>
      await people_service.updatePerson(ctx, request, id, input),
  }),

  linkPerson: route({
    ...changing,
    path: '/staff/people/{pk}/link/',
    operation: 'link_staff_people',
    summary: 'Make a new one-time link for a staff account, for a lost password or phone',
    reply: INVITED,
    repeat: 'a repeat makes another link; the one before it no longer works.',
    run: async (ctx, { request, id }) => await people_service.linkPerson(ctx, request, id),
  }),

  signOutPerson: route({
    ...changing,
    path: '/staff/people/{pk}/sign_out/',
    operation: 'sign_out_staff_people',
    summary: 'End every session of a staff account',
    reply: PERSON,
    repeat: 'a repeat ends the sessions that were opened since.',
    run: async (ctx, { request, id }) => await people_service.signOutPerson(ctx, request, id),
  }),

  listRoles: route({
    ...managing,
    method: 'GET',
    path: '/staff/roles/',
    operation: 'list_staff_roles',
    summary: 'List the roles with their scopes',
    reply: named('StaffRoleList', { results: listOf(ROLE, 'All roles.') }),
    run: async (ctx, { request }) => await managed.listRoles(ctx, request.caller),
  }),

  setRole: route({
    ...changing,
    path: '/staff/roles/',
    operation: 'set_staff_role',
    summary: 'Create a role or replace its scopes',
    input: titled('StaffRoleInput', managed.ROLE_INPUT),
    reply: ROLE,
    errors: ['invalid_request'],
    repeat: 'the same scopes again change nothing.',
    run: async (ctx, { request, input }) => await managed.setRole(ctx, request, input),
  }),

  listSessions: listRoute(
    {
      ...managing,
      path: '/staff/sessions/',
      operation: 'list_staff_sessions',
      summary: 'List the sessions of the dashboard, newest first',
      query: KEY_QUERY,
      reply: SESSION_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseKeyQuery, find: managed.listSessions },
  ),

  endSession: route({
    ...changing,
    path: '/staff/sessions/{pk}/end/',
    operation: 'end_staff_session',
    summary: 'End a session of the dashboard',
    reply: ENDED,
    repeat: 'a session that has ended is `not_found`.',
    run: async (ctx, { request, id }) => await endSession(ctx, request, id),
  }),

  createKey: route({
    ...changing,
    path: '/staff/keys/',
    operation: 'create_staff_key',
    summary: 'Create an API key, which is shown once',
    input: titled('KeyInput', managed.KEY_INPUT),
    status: 201,
    reply: CREATED_KEY,
    errors: ['invalid_request'],
    repeat: 'a repeat creates another key; revoke the one that is not needed.',
    run: async (ctx, { request, input }) => await managed.createKey(ctx, request, input),
  }),

  revokeKey: route({
    ...changing,
    path: '/staff/keys/{pk}/revoke/',
    operation: 'revoke_staff_key',
    summary: 'Revoke an API key permanently',
    input: titled('KeyRevocation', managed.REVOKE_INPUT),
    input_optional: true,
    reply: ENDED,
    repeat: 'a revoked key is `not_found`.',
    run: async (ctx, { request, id, input }) => await managed.revokeKey(ctx, request, id, input),
  }),
}

const AUDIT_ROW = named('AuditRow', {
  id: uuid('The id of the entry.'),
  seq: countOrNull('Its position in the chain; null until it is sealed, a few seconds later.'),
  occurred_at: time('When it happened.'),
  actor: text('Who did it.'),
  actor_kind: oneOf(ACTOR_KINDS, 'An owner, a staff member, or the service itself.'),
  action: text('What was done, as `payment.refund`.'),
  subject_kind: text('The kind of object it was done to.'),
  subject_id: text('The object; `-` for several.'),
  owner_id: textOrNull('The owner of the object.'),
  reason: textOrNull('The reason that was given.'),
  request_id: textOrNull('The request, as in the log.'),
  operation_id: uuidOrNull('The operation at the gateway.'),
  detail: text('More about it, as JSON.'),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

export const audit = {
  listAudit: route({
    ...reading,
    path: '/staff/audit/',
    operation: 'list_staff_audit',
    summary: 'List the audit, newest first',
    query: AUDIT_QUERY,
    reply: listOf(AUDIT_ROW, 'The entries, newest first.'),
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await listAudit(ctx, request.caller, query),
  }),

  exportAudit: route({
    ...reading,
    path: '/staff/audit/export/',
    operation: 'export_staff_audit',
    summary: 'Export the sealed audit as CSV, newest first',
    query: AUDIT_EXPORT_QUERY,
    reply: text('The rows as CSV.'),
    media: 'text/csv',
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await exportAudit(ctx, request.caller, query),
  }),
}
