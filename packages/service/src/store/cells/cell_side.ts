// A direct connection to the database of a cell, for moves: two databases at once, cursors, and session
// settings, which the pool of the service does not have.
import { Client, type QueryResultRow } from 'pg'
import { renameSchema } from '../connection/database.ts'
import { jobsSchema } from '../maintenance/jobs.ts'

export interface CellAddress {
  databaseUrl: string
  schema?: string | undefined
}

/** Few enough that a page is a short transaction: long ones hold back the outbox. */
export const PAGE_ROWS = 2_000

/** How long a change of a table may wait behind running transactions before it steps back. */
const LOCK_TIMEOUT_MS = 1_000

export class CellSide {
  readonly schema: string
  readonly #client: Client

  private constructor(client: Client, schema: string) {
    this.#client = client
    this.schema = schema
  }

  /** Undefined if the address leads to a pooler, which would give the settings of this to others. */
  static async open(address: CellAddress): Promise<CellSide | undefined> {
    const { databaseUrl, schema = 'gapura' } = address
    const client = new Client({ connectionString: databaseUrl, application_name: 'gapura move' })
    // A connection that breaks is reported by the next statement.
    client.on('error', () => undefined)
    await client.connect()
    const side = new CellSide(client, schema)
    if (await side.#isPooled()) {
      await side.close()
      return undefined
    }
    await side.query(`set timezone = 'UTC'`)
    await side.query(`set datestyle = 'ISO, YMD'`)
    await side.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    // Its own writes are neither refused nor noted; see note_owner_change.
    await side.query(`set gapura.mover = 'on'`)
    return side
  }

  /** A pooler names another process at the start than the one that does the work. */
  async #isPooled(): Promise<boolean> {
    const [own] = await this.query<{ pid: number }>('select pg_backend_pid() as pid')
    const named: unknown = Reflect.get(this.#client, 'processID')
    return own?.pid !== named
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>({
      text: renameSchema(text, this.schema),
      values: [...values],
    })
    return rows
  }

  /** The next rows of a cursor: the last ones if they are fewer than a page. */
  async next<Row extends QueryResultRow>(cursor: string): Promise<Row[]> {
    return await this.query<Row>(['fetch', PAGE_ROWS, 'from', cursor].join(' '))
  }

  /** One snapshot for everything that is read in it. */
  async snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#within('begin isolation level repeatable read read only', work)
  }

  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#within('begin', work)
  }

  async #within<Result>(begin: string, work: () => Promise<Result>): Promise<Result> {
    await this.query(begin)
    try {
      const result = await work()
      await this.query('commit')
      return result
    } catch (error) {
      await this.query('rollback').catch(() => undefined)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }
}

/**
 * What the role of this connection, or that of the service, may not do here (ADR 0017), as one sentence
 * that names the role to use; undefined if nothing is missing.
 */
export async function findMissingRights(side: CellSide): Promise<string | undefined> {
  const { schema } = side
  const queue = jobsSchema({ schema })
  const [foreign] = await side.query<{ role: string; owner: string; in_queue: boolean }>(
    `select current_user::text as role, class.relowner::regrole::text as owner,
       class.relnamespace = to_regnamespace($2) as in_queue
     from pg_catalog.pg_class as class
     where class.relnamespace in (to_regnamespace($1), to_regnamespace($2))
       and class.relkind in ('r', 'p')
       and not pg_has_role(current_user, class.relowner, 'usage')
     order by in_queue
     limit 1`,
    [schema, queue],
  )
  if (foreign !== undefined) {
    const { role, owner, in_queue } = foreign
    return in_queue
      ? `the role ${role} cannot change the schema ${queue}, which belongs to the role ${owner} of the service: run grant ${owner} to ${role} as a superuser`
      : `the role ${role} does not own the schema ${schema}: use a DATABASE_URL of the role ${owner}, which owns it`
  }
  // A service that cannot read this table would take a moved owner for one of its own.
  const [blind] = await side.query<{ role: string; owner: string }>(
    `select granted.grantee::regrole::text as role, class.relowner::regrole::text as owner
     from pg_catalog.pg_class as class
     cross join lateral aclexplode(class.relacl) as granted
     where class.oid = to_regclass($1)
       and granted.privilege_type = 'INSERT'
       and granted.grantee <> 0
       and not has_table_privilege(granted.grantee, to_regclass($2), 'select')
     limit 1`,
    [`${schema}.gateway_payment`, `${schema}.owner_move`],
  )
  if (blind === undefined) return undefined
  const { role, owner } = blind
  return `the role ${role} of the service lacks rights of this release: run what gapura migrate --grants ${role} prints as the role ${owner}`
}
