// The cluster of the campaign, and a migrated database in it that every run copies.
import { Client, type Pool } from 'pg'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import type { Scope } from '../../packages/service/src/domain/caller.ts'
import { createEffects } from '../bench/effects.ts'
import type { CampaignCaller } from '../bench/intents.ts'
import { PostgresCluster } from '../bench/postgres_cluster.ts'
import { seeded } from '../bench/random.ts'
import { recordChanges } from './fencing.ts'
import { current, START_MS, VirtualClock } from './virtual.ts'

export const GATEWAY = { server_key: 'SB-Mid-server-seeds', client_key: 'SB-Mid-client-seeds' }
const TEMPLATE = 'migrated'
const OWNERS = ['first', 'second', 'third']
const STAFF = 'staff'
const SCOPES: readonly Scope[] = [
  'payments:write',
  'payments:refund',
  'payments:capture',
  'invoices:write',
  'subscriptions:write',
  'webhooks:write',
  'staff:read',
  'staff:act',
]
/**
 * Nothing may happen in the server but what the scheduler sends. Connections are short-lived, so a
 * statement is planned once, and nothing is counted.
 */
const SETTINGS = [
  'autovacuum=off',
  'deadlock_timeout=1h',
  'fsync=on',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'track_counts=off',
  'update_process_title=off',
]

export interface SeedCluster {
  admin: Client
  callers: readonly CampaignCaller[]
  staff: CampaignCaller
  /** A fresh copy of the migrated database. */
  copy: (name: string) => Promise<string>
  drop: (name: string) => Promise<void>
  close: () => Promise<void>
}

export async function openCluster(): Promise<SeedCluster> {
  const cluster = await PostgresCluster.create({ settings: SETTINGS, in_memory: true })
  const admin = new Client({ connectionString: cluster.socketUrl('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  const { callers, staff } = await prepare(cluster.socketUrl(TEMPLATE))
  return {
    admin,
    callers,
    staff,
    copy: async (name) => {
      await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
      return cluster.socketUrl(name)
    },
    drop: async (name) => void (await admin.query(`drop database ${name} with (force)`)),
    close: async () => {
      await admin.end()
      await cluster.remove()
    },
  }
}

/** Migrated, with the virtual clock, and with keys that are the same in every campaign. */
async function prepare(url: string) {
  const gapura = createGapura({ databaseUrl: url, gateway: GATEWAY })
  await gapura.migrate()
  const db = openDatabase(url)
  await withTransaction(db, createEffects)
  await db.pool.query(`create schema seeds`)
  await db.pool.query(`create sequence seeds.clock start ${START_MS}`)
  // A sequence, because every snapshot sees its present value.
  await db.pool.query(`
    create or replace function gapura.now() returns timestamptz
    language plpgsql stable parallel safe
    as $$ begin return (select to_timestamp(last_value / 1000.0) from seeds.clock); end $$`)
  await withoutRealTimeouts(db.pool)
  await recordChanges(db.pool)
  await db.close()
  const owner = {
    name: 'keys',
    alive: true,
    paused_until: 0,
    random: seeded(1),
    clock: new VirtualClock(),
  }
  const caller = async (owner_id: string): Promise<CampaignCaller> => {
    const order = { name: owner_id, owner_id, staff: owner_id === STAFF, scopes: [...SCOPES] }
    const { key } = await current.run(owner, async () => await gapura.createApiKey(order))
    return { owner_id, api_key: key }
  }
  const callers: CampaignCaller[] = []
  for (const owner_id of OWNERS) callers.push(await caller(owner_id))
  const staff = await caller(STAFF)
  await gapura.close()
  return { callers, staff }
}

/**
 * Some functions set a lock timeout of their own, which counts real time: whether it had passed when
 * the lock was granted would depend on the machine. A session's own becomes a virtual timer.
 */
const withoutRealTimeouts = async (pool: Pool): Promise<unknown> =>
  await pool.query(String.raw`
    do $do$
    declare
      definition text;
    begin
      for definition in
        select pg_get_functiondef(oid)
        from pg_proc
        where pronamespace = 'gapura'::regnamespace
          and concat(prosrc, proconfig) ~ 'lock_timeout'
      loop
        execute regexp_replace(definition, $$(lock_timeout(', | TO )')\w+'$$, $$\10'$$, 'g');
      end loop;
    end
    $do$`)
