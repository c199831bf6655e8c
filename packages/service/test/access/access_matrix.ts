// Every route × every role. The result is a list of faults, so that a test can see a planted fault
// in it.
import { SCOPES, type Scope } from '../../src/domain/caller.ts'
import type { Ask, Asked, Route, Heard, useAccess } from './access_rig.ts'
import { aniWith, type Role } from './access_roles.ts'
import { rowOf, type Row, type Rows } from './access_rows.ts'

/** Actions on a payment: they need the action's scope besides that of staff. */
const CHANGING = new RegExp(
  '^/staff/(?:payments|refund_requests|invoices|subscriptions|checkouts)/:pk/' +
    '(?:cancel|expire|refund|record_refund|capture|approve|deny|decline|void|disable|enable)/?$|^/staff/checkouts/?$',
)

/** A method that a path does not have is refused before anybody is authenticated. */
export const WITHOUT_METHOD = new Set(['anonymous', 'owner', 'other owner', 'staff'])

const MISSING = '01890000-0000-7000-8000-000000000000'

export interface Judgement {
  /** Requests judged. */
  cells: number
  faults: string[]
}

type Rig = Pick<ReturnType<typeof useAccess>, 'http' | 'calls'>
type ObjectRow = Extract<Row, { kind: 'read' | 'change' }>
type ScopedRow = Extract<Row, { kind: 'change' | 'create' }>
type StaffRow = Extract<Row, { kind: 'staff' }>

interface Matrix {
  ask: Ask
  rows: Rows
  roles: readonly Role[]
}

/** With its slash, as rows are named. */
const canonical = (path: string): string =>
  path.endsWith('/') || /\.\w+$/.test(path) ? path : `${path}/`

const at = (path: string, id: string): string =>
  path.replace(':pk', id).replace(':action_name', 'disable')

export async function judge(
  rig: Rig,
  routes: readonly Route[],
  matrix: Matrix,
): Promise<Judgement> {
  const judged = new Judging(rig, matrix)
  for (const route of routes) await judged.route(route)
  await judged.leaks()
  return { cells: judged.cells, faults: judged.faults }
}

class Judging {
  cells = 0
  readonly faults: string[] = []
  readonly #rig: Rig
  readonly #matrix: Matrix
  /** One object of ani's for each row, for roles that must not reach it. */
  readonly #victims = new Map<Row, string>()
  /** The object that was made for the route which is being judged. */
  #newest: { route: string; id: string } | undefined
  /** Answers to roles that must not see ani's data. */
  readonly #shown: { cell: string; text: string }[] = []

  constructor(rig: Rig, matrix: Matrix) {
    this.#rig = rig
    this.#matrix = matrix
  }

  async route({ method, path }: Route): Promise<void> {
    const { rows, roles } = this.#matrix
    const known = canonical(path)
    const row = rowOf(rows, method, known)
    const elsewhere = ['GET', 'POST'].some((other) => rowOf(rows, other, known) !== undefined)
    if (row === undefined && !elsewhere) this.faults.push(`${method} ${path}: no row`)
    for (const role of roles) {
      const cell = `${method} ${path} as ${role.name}`
      if (row !== undefined) await this.#cell(cell, { method, path, row, role })
      else if (elsewhere && WITHOUT_METHOD.has(role.name))
        await this.#expect(cell, { method, path, ...shown(role) }, 405)
    }
    if (row?.kind === 'change') await this.#foreignKey({ method, path, row })
    if (row?.kind === 'change' || row?.kind === 'create') await this.#scopes({ method, path, row })
  }

  async #cell(cell: string, { method, path, row, role }: Route & { row: Row; role: Role }) {
    const base = { method, path, ...shown(role) }
    const { rights } = role
    switch (row.kind) {
      case 'public': {
        const heard = await this.#expect(cell, { ...base, body: await row.body?.() }, row.status)
        return void this.#shown.push({ cell, text: heard.text })
      }
      case 'known':
        return void (await this.#expect(cell, base, rights.known === 'ok' ? 200 : 401))
      case 'list':
        return await this.#list(cell, base, { row, role })
      case 'create': {
        const body = await row.body()
        const create = rightOfStaff(role, [row.scope]) ?? rights.create
        if (create !== 'ok') return await this.#denied(cell, { ...base, body }, create)
        const { text } = await this.#expect(cell, { ...base, body }, 201)
        if (method === 'POST') await this.#created(cell, text, role)
        return
      }
      case 'staff':
        return await this.#staff(cell, base, { row, role })
      case 'read':
      case 'change':
        return await this.#object(cell, base, { row, role })
    }
  }

  async #list(
    cell: string,
    base: Asked,
    { row, role }: { row: Extract<Row, { kind: 'list' }>; role: Role },
  ): Promise<void> {
    const { list } = role.rights
    if (list === 401) return await this.#denied(cell, base, 401)
    // The newest of all, so that it is on the first page of every role that may see it.
    const newest = this.#newest?.route === base.path ? this.#newest.id : await row.make()
    this.#newest = { route: base.path, id: newest }
    const asked = { ...base, path: `${base.path}${row.query?.() ?? ''}` }
    const { text } = await this.#expect(cell, asked, 200)
    if (base.method === 'HEAD') return
    if (list === 'own' && !text.includes(newest))
      this.faults.push(`${cell}: its own object is not listed`)
    if (list === 'others') this.#shown.push({ cell, text })
  }

  /** A role that is not staff gets the bytes of an unknown route (ADR 0020). */
  async #staff(
    cell: string,
    base: Asked,
    { row, role }: { row: StaffRow; role: Role },
  ): Promise<void> {
    // Acting on another owner's object needs the scope of staff besides that of the action.
    const needed = [row.scope, ...(CHANGING.test(base.path) ? ['staff:act' as const] : [])]
    const may =
      role.staff !== undefined &&
      needed.every((scope) => scope === null || role.staff?.includes(scope))
    const id = may ? await row.make?.() : await this.#victim(row)
    const body = await row.body?.()
    const asked = { ...base, path: `${at(base.path, id ?? '')}${row.query ?? ''}`, body }
    if (role.staff === undefined) {
      const status = role.rights.known === 'ok' ? 404 : 401
      await this.#denied(cell, asked, status)
      if (status === 401) return
      const nowhere = { ...asked, path: asked.path.replace('/staff/', '/nowhere/') }
      const [one, other] = [await this.#matrix.ask(asked), await this.#matrix.ask(nowhere)]
      if (JSON.stringify(one) !== JSON.stringify(other)) this.faults.push(`${cell}: it is there`)
      return
    }
    if (may) await this.#expect(cell, asked, row.status ?? 200)
    // Staff without the read scope see what an owner would: a missing object.
    else await this.#denied(cell, asked, 403)
  }

  async #object(
    cell: string,
    base: Asked,
    { row, role }: { row: ObjectRow; role: Role },
  ): Promise<void> {
    const needed = row.kind === 'change' ? [row.scope, 'staff:act' as const] : []
    const right = rightOfStaff(role, needed) ?? role.rights[row.kind]
    const body = row.kind === 'change' ? await row.body?.() : undefined
    if (right === 'ok') {
      const id = row.kind === 'read' ? await this.#victim(row) : await row.make()
      const { text } = await this.#expect(cell, { ...base, path: at(base.path, id), body }, 200)
      if (base.method !== 'HEAD' && !text.includes(id)) this.faults.push(`${cell}: not the object`)
      return
    }
    const theirs = { ...base, path: at(base.path, await this.#victim(row)), body }
    // Staff who see everything may learn that they may not act on it.
    if (role.rights.read === 'ok') return await this.#denied(cell, theirs, right)
    await this.#likeMissing(cell, theirs, { ...base, path: at(base.path, MISSING), body }, right)
  }

  /** Refused, without a change and without a call to the gateway. */
  async #denied(cell: string, asked: Asked, status: number): Promise<void> {
    const before = [this.#rig.calls(), await this.#state()]
    const { text } = await this.#expect(cell, asked, status)
    this.#shown.push({ cell, text })
    const after = [this.#rig.calls(), await this.#state()]
    if (String(before) !== String(after)) this.faults.push(`${cell}: something happened`)
  }

  /** Refused, with the bytes of an object that does not exist (ADR 0020). */
  async #likeMissing(cell: string, theirs: Asked, missing: Asked, status: number): Promise<void> {
    await this.#denied(cell, theirs, status)
    const [one, other] = [await this.#matrix.ask(theirs), await this.#matrix.ask(missing)]
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      this.faults.push(`${cell}: another's and a missing one differ`)
    }
  }

  /** An idempotency key of ani's has no meaning for another owner, even if it is equal. */
  async #foreignKey({ method, path, row }: Route & { row: ObjectRow }): Promise<void> {
    const headers = { 'idempotency-key': this.#rig.http.fresh('matrix-key') }
    const body = row.kind === 'change' ? await row.body?.() : undefined
    const own = { method, path: at(path, await row.make()), body, headers }
    const cell = `${method} ${path} with another's Idempotency-Key`
    await this.#expect(cell, { ...own, authorization: await aniWith(SCOPES) }, 200)
    const budi = this.#matrix.roles.find(({ name }) => name === 'other owner')
    const theirs = { ...own, authorization: budi?.authorization }
    await this.#likeMissing(cell, theirs, { ...theirs, path: at(path, MISSING) }, 404)
  }

  /** The one scope is enough, and all the others together are not. */
  async #scopes({ method, path, row }: Route & { row: ScopedRow }): Promise<void> {
    const others = SCOPES.filter((scope) => scope !== row.scope)
    const target = async () => ({
      method,
      path: row.kind === 'change' ? at(path, await row.make()) : path,
      body: await row.body?.(),
    })
    const cell = `${method} ${path} as owner`
    const lacking = { ...(await target()), authorization: await aniWith(others) }
    await this.#denied(`${cell} without ${row.scope}`, lacking, 403)
    const having = { ...(await target()), authorization: await aniWith([row.scope]) }
    await this.#expect(`${cell} with ${row.scope} alone`, having, row.kind === 'create' ? 201 : 200)
  }

  async #expect(cell: string, asked: Asked, status: number): Promise<Heard> {
    this.cells++
    const heard = await this.#matrix.ask(asked)
    if (heard.status !== status) this.faults.push(`${cell}: ${heard.status} instead of ${status}`)
    const problem = status >= 400 && asked.method !== 'HEAD'
    if (problem && !heard.headers['content-type']?.startsWith('application/problem+json')) {
      this.faults.push(`${cell}: refused without a problem body`)
    }
    return heard
  }

  async #created(cell: string, text: string, role: Role): Promise<void> {
    const { id } = JSON.parse(text) as { id: string }
    const owners = await this.#rig.http.database.sql(
      `select owner_id from gapura.gateway_payment where id = $1
       union all select owner_id from gapura.gateway_invoice where id = $1
       union all select owner_id from gapura.gateway_subscription where id = $1
       union all select owner_id from gapura.gateway_checkout where id = $1
       union all select owner_id from gapura.webhook_endpoint where id = $1`,
      [id],
    )
    const [owner] = owners.map(({ owner_id }) => owner_id)
    if (owner !== role.owner_id) this.faults.push(`${cell}: made for ${String(owner)}`)
  }

  async #victim(row: ObjectRow | StaffRow): Promise<string> {
    const known = this.#victims.get(row) ?? (await row.make?.()) ?? ''
    this.#victims.set(row, known)
    return known
  }

  /** State in which any change would be seen. */
  async #state(): Promise<string> {
    const [state] = await this.#rig.http.database.sql(
      `select
         (select count(*) from gapura.gateway_operation) as operations,
         (select count(*) from gapura.gateway_transition) as transitions,
         (select count(*) from gapura.operation_reply) as replies,
         (select count(*) from gapura.gateway_notification) as notifications`,
    )
    return JSON.stringify(state)
  }

  /** No role that may not see ani's data got an answer that names one of ani's objects. */
  async leaks(): Promise<void> {
    const owned = await this.#rig.http.database.sql(
      `select id::text as mark from gapura.gateway_payment where owner_id = 'ani'
       union select order_id from gapura.gateway_payment where owner_id = 'ani'
       union select transaction_id from gapura.gateway_payment where owner_id = 'ani'
       union select va_number from gapura.gateway_payment where owner_id = 'ani'
       union select id::text from gapura.gateway_refund where owner_id = 'ani'
       union select id::text from gapura.refund_request where owner_id = 'ani'
       union select id::text from gapura.gateway_invoice where owner_id = 'ani'
       union select id::text from gapura.gateway_checkout where owner_id = 'ani'
       union select token from gapura.gateway_checkout where owner_id = 'ani'
       union select id::text from gapura.gateway_subscription where owner_id = 'ani'`,
    )
    const marks = new Set(owned.flatMap(({ mark }) => (typeof mark === 'string' ? mark : [])))
    for (const { cell, text } of this.#shown) {
      const words = text.match(/[\w.~-]{6,}/g) ?? []
      if (words.some((word) => marks.has(word))) this.faults.push(`${cell}: shows ani's data`)
    }
  }
}

const shown = ({ authorization, headers = {} }: Role) => ({ authorization, headers })

/** Staff may do what their scopes say, whatever the route; undefined for other roles. */
const rightOfStaff = ({ staff }: Role, needed: readonly Scope[]): 'ok' | 403 | undefined => {
  if (staff === undefined) return undefined
  return needed.every((scope) => staff.includes(scope)) ? 'ok' : 403
}
