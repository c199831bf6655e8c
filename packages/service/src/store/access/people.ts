import type { Scope } from '../../domain/caller.ts'
import type { Tx } from '../connection/transaction.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'

export interface StaffPerson {
  id: string
  /** The name under which actions are recorded. It never changes. */
  staff_id: string
  email: string
  name: string
  role: string
  has_password: boolean
  has_oidc: boolean
  has_passkey: boolean
  created_at: Date
  signed_in_at: Date | null
  disabled_at: Date | null
  locked_until: Date | null
  /** Until when the one-time link is valid; null if there is none. */
  link_expires_at: Date | null
}

const COLUMNS = `
  id, staff_id, email, name, role, password_hash is not null as has_password,
  oidc_subject is not null as has_oidc,
  exists (
    select
    from gapura.staff_passkey as passkey
    where passkey.person_id = staff_person.id
  ) as has_passkey,
  created_at, signed_in_at, disabled_at, locked_until,
  link_expires_at`

export type NewPerson = Pick<StaffPerson, 'id' | 'staff_id' | 'email' | 'name' | 'role'>

/** Undefined if a person has this e-mail address or staff id. */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<StaffPerson | undefined> {
  const [inserted] = await tx.query<StaffPerson>(
    `insert into gapura.staff_person (id, staff_id, email, name, role)
     values ($1, $2, $3, $4, $5)
     on conflict do nothing
     returning ${COLUMNS}`,
    [person.id, person.staff_id, person.email, person.name, person.role],
  )
  return inserted
}

export async function lockPerson(tx: Tx, id: string): Promise<StaffPerson | undefined> {
  const [found] = await tx.query<StaffPerson>(
    `select ${COLUMNS}
     from gapura.staff_person
     where id = $1
     for update`,
    [id],
  )
  return found
}

export interface PersonChange {
  name: string
  role: string
  disabled: boolean
}

export async function changePerson(
  tx: Tx,
  id: string,
  { name, role, disabled }: PersonChange,
): Promise<StaffPerson | undefined> {
  const [changed] = await tx.query<StaffPerson>(
    `update gapura.staff_person
     set name = $2,
       role = $3,
       disabled_at = case when $4::boolean then coalesce(disabled_at, gapura.now()) end,
       link_hash = case when $4::boolean then null else link_hash end,
       link_expires_at = case when $4::boolean then null else link_expires_at end
     where id = $1
     returning ${COLUMNS}`,
    [id, name, role, disabled],
  )
  return changed
}

/** Replaces the one-time link of a person. */
export async function setLink(
  tx: Tx,
  id: string,
  { link_hash, hours }: { link_hash: string; hours: number },
): Promise<StaffPerson | undefined> {
  const [changed] = await tx.query<StaffPerson>(
    `update gapura.staff_person
     set link_hash = $2,
       link_expires_at = gapura.now() + make_interval(hours => $3),
       totp_pending = null
     where id = $1
     returning ${COLUMNS}`,
    [id, link_hash, hours],
  )
  return changed
}

/** A page of all people, newest first, including disabled ones. */
export async function listPeople(tx: Tx, request: PageRequest): Promise<Page<StaffPerson>> {
  const source = { table: 'gapura.staff_person', columns: COLUMNS, conditions: [] }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<StaffPerson>(text, values, { prepare: false }), request)
}

export interface StaffRole {
  name: string
  scopes: readonly Scope[]
  /** How many people have it, without disabled ones. */
  people: number
  updated_at: Date
}

/** All roles, or the one of this name. */
export const listRoles = async (tx: Tx, name: string | null = null): Promise<StaffRole[]> =>
  await tx.query<StaffRole>(
    `select
       role.name,
       to_jsonb(role.scopes) as scopes,
       role.updated_at,
       (
         select count(*)::integer
         from gapura.staff_person as person
         where person.role = role.name
           and person.disabled_at is null
       ) as people
     from gapura.staff_role as role
     where $1::text is null or role.name = $1
     order by cardinality(role.scopes), role.name`,
    [name],
  )

/** Creates a role or replaces its scopes. */
export async function putRole(
  tx: Tx,
  { name, scopes }: Pick<StaffRole, 'name' | 'scopes'>,
): Promise<void> {
  await tx.query(
    `insert into gapura.staff_role (name, scopes)
     values ($1, $2::text[])
     on conflict (name) do update
     set scopes = excluded.scopes,
       updated_at = gapura.now()`,
    [name, scopes],
  )
}
