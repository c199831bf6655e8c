// A direct connection to the database of a cell, for moves: two databases at once, cursors, and session
// settings, which the pool of the service does not have.
import { Client, type QueryResultRow } from 'pg'
import { renameSchema } from '../connection/database.ts'

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

  static async open({ databaseUrl, schema = 'gapura' }: CellAddress): Promise<CellSide> {
    const client = new Client({ connectionString: databaseUrl, application_name: 'gapura move' })
    // A connection that breaks is reported by the next statement.
    client.on('error', () => undefined)
    await client.connect()
    const side = new CellSide(client, schema)
    await side.query(`set timezone = 'UTC'`)
    await side.query(`set datestyle = 'ISO, YMD'`)
    await side.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    // Its own writes are neither refused nor noted; see note_owner_change.
    await side.query(`set gapura.mover = 'on'`)
    return side
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
