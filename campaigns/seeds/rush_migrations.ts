// A rush in which the next release migrates the database while this one serves.
import { createHash } from 'node:crypto'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import { isUnavailable, StoreError } from '../../packages/service/src/store/connection/errors.ts'
import { withReadTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import {
  migrate,
  readMigrations,
  type Migration,
} from '../../packages/service/src/store/schema/migrate.ts'
import { act } from '../bench/payment_stories.ts'
import type { Scene } from '../bench/scene.ts'
import { pays, waiting } from './rush_actions.ts'
import type { Course } from './rush_actors.ts'
import { beginCharge, look, pass, send, some, together, type Actor } from './rush_actors.ts'

const TRIES_MAX = 8

/** What releases do; an index that is built beside writers waits at moments that differ by run. */
const CHANGES: readonly ((name: string) => string)[] = [
  (name) => `alter table gapura.gateway_payment add column ${name} text;`,
  (name) => `alter table gapura.gateway_payment add column ${name} bigint not null default 0;
     alter table gapura.gateway_refund add column ${name} text;`,
  (name) => `alter table gapura.gateway_payment add constraint ${name}
     check (captured_amount >= 0) not valid;
     alter table gapura.gateway_payment validate constraint ${name};`,
]

function nextOf(known: readonly Migration[], change: (name: string) => string): Migration {
  const version = known.length + 1
  const name = `seed_${version}`
  const sql = change(name)
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version, name, sql, checksum }
}

/** Whether its change is there, and its record. */
const isApplied = async (db: Database, { name }: Migration): Promise<boolean> =>
  await withReadTransaction(db, async (tx) => {
    const [found] = await tx.query<{ is_applied: boolean }>(
      `select exists (select from gapura.migration where name = $1) and (
         exists (select from information_schema.columns where column_name = $1)
         or exists (select from pg_constraint where conname = $1)
       ) as is_applied`,
      [name],
    )
    return found?.is_applied === true
  })

const PASSING = new Set(['commit_unknown', 'migration_busy'])

/** An interrupted migration, and not one that is refused. */
const isPassing = (error: unknown): boolean =>
  error instanceof StoreError ? PASSING.has(error.code) : isUnavailable(error)

/** Callers, a payer and up to two processes that migrate, of which one may die. */
export async function rushMigration(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const charged = await waiting(scene)
  if (charged === undefined) return
  const { migrations } = course
  if (migrations.length === 0) migrations.push(...(await readMigrations()))
  const next = nextOf(migrations, random.pick(CHANGES))
  migrations.push(next)
  const migrates =
    (name: string): Actor =>
    async () => {
      const done = { is_done: false }
      // An interrupted migration is simply run again.
      for (let tries = 0; !done.is_done && tries < TRIES_MAX; tries++)
        await course.within(name, async ({ ctx: { db } }) => {
          try {
            await migrate(db, { migrations })
            done.is_done = await isApplied(db, next)
          } catch (error) {
            if (!isPassing(error)) throw error
          }
        })
      if (!done.is_done) course.report(`${next.name} was not applied`)
    }
  course.sim.rush()
  const payment_type = random.pick(['bank_transfer', 'gopay', 'qris'])
  const more = [
    look(scene, charged),
    look(scene, charged),
    send(scene, beginCharge(scene, { payment_type })),
    async () => await act(scene, charged, 'cancel'),
    pass(course, 1_100, 2_100, 6_000),
    migrates('migrator-2'),
  ]
  const charging = send(scene, beginCharge(scene, { payment_type }))
  const others = some(scene, more)
  await together([migrates('migrator-1'), pays(scene, charged), charging, ...others])
}
