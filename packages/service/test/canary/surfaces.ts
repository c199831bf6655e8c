// Every output through which a secret could leak: replies, log lines, events, and all tables.
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import type { Logger } from '../../src/services/context.ts'
import type { Canaries } from './canaries.ts'

export type Surface = 'reply' | 'log' | 'event' | 'table'

export interface Seen {
  surface: Surface
  /** Which request, line, signal or table. */
  where: string
  text: string
}

type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Everything a log shipper or a crash reporter could print of it, getters and causes included. */
export const printed = (value: unknown): string => {
  const deep = inspect(value, { depth: 20, showHidden: true, getters: true, maxStringLength: null })
  return value instanceof Error ? `${deep} ${value.stack} ${value.message}` : deep
}

/** Records outputs; the tables are read when they are searched. */
export class Witness {
  readonly seen: Seen[] = []

  reply(where: string, reply: { status: number; headers: Headers; text: string }): void {
    const headers = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.seen.push({ surface: 'reply', where, text: `${headers}\n\n${reply.text}` })
  }

  /** The result or error of the in-process API. */
  returned(where: string, value: unknown): void {
    this.seen.push({ surface: 'reply', where, text: printed(value) })
  }

  event(event: SignalEnvelope): void {
    this.seen.push({ surface: 'event', where: event.type, text: printed(event) })
  }

  get logger(): Logger {
    const note = (level: string) => (fields: object, message: string) => {
      this.seen.push({ surface: 'log', where: level, text: `${message} ${printed(fields)}` })
    }
    return { info: note('info'), warn: note('warn'), error: note('error') }
  }

  count(surface: Surface): number {
    return this.seen.filter((one) => one.surface === surface).length
  }
}

/** Every row of every table of these schemas, partitions included, as text. */
export async function readTables(sql: Sql, schemas: readonly string[]): Promise<Seen[]> {
  const tables = await sql(
    `select format('%I.%I', nspname, relname) as name
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = any($1)
       and relkind in ('r', 'm')
       -- Most partitions are of other months, and hold nothing.
       and pg_relation_size(pg_class.oid) > 0
     order by 1`,
    [schemas],
  )
  const seen: Seen[] = []
  for (const { name } of tables) {
    const where = String(name)
    const rows = await sql(`select to_jsonb(t)::text as text from ${where} t`)
    for (const { text } of rows) seen.push({ surface: 'table', where, text: String(text) })
  }
  return seen
}

/** Each leak once: where it is, and which secret in which form. */
export async function findLeaks(canaries: Canaries, seen: readonly Seen[]): Promise<string[]> {
  const leaks = new Set<string>()
  for (const [index, { surface, where, text }] of seen.entries()) {
    for (const leak of canaries.leaksIn(text)) leaks.add(`${surface} ${where}: ${leak}`)
    // The servers are in this process: held up for seconds, they would close connections in use.
    if (index % 500 === 0) await setImmediate()
  }
  return [...leaks]
}
