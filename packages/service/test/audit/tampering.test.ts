// Every way to tamper with the chain with full access to the database; `gapura audit verify` finds
// each.
import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canonicalEntry, type SealedEntry } from '../../src/domain/audit.ts'
import { verifyAudit } from '../../src/services/audit/verify_audit.ts'
import { listSealed } from '../../src/store/audit/chain.ts'
import { newId } from '../../src/store/sql/values.ts'
import { useDatabase } from '../store/test_database.ts'
import { entryOf, fillChain, write } from './chain_bench.ts'

const here = useDatabase()
const ROWS = 60
const TABLES = ['audit_unsealed', 'audit_sealed', 'audit_head', 'audit_anchor']
let head = { seq: 0, hash: '' }

beforeAll(async () => {
  await fillChain(here.db, ROWS)
  ;({ head } = await verifyAudit(here.db))
  for (const table of TABLES) {
    await here.sql(`create table gapura.${table}_kept as table gapura.${table}`)
    await here.sql(`alter table gapura.${table} disable trigger all`)
  }
})
beforeEach(async () => {
  for (const table of TABLES) {
    await here.sql(`delete from gapura.${table}`)
    await here.sql(`insert into gapura.${table} select * from gapura.${table}_kept`)
  }
})

const change = async (set: string, seq = 30) =>
  await here.sql(`update gapura.audit_sealed set ${set} where seq = ${seq}`)
const remove = async (where: string) =>
  await here.sql(`delete from gapura.audit_sealed where ${where}`)

/** The whole chain from a row on, hashed again, as an attacker who knows the format would. */
async function rehash(from: number): Promise<void> {
  const rows = await here.do(async (tx) => await listSealed(tx, { after_seq: 0, limit: 1_000 }))
  let before = rows.find(({ seq }) => seq === from - 1)?.hash ?? '0'.repeat(64)
  for (const row of rows.filter(({ seq }) => seq >= from)) {
    before = hashOf(before, row)
    await here.sql('update gapura.audit_sealed set hash = $1 where seq = $2', [before, row.seq])
  }
  await here.sql('update gapura.audit_head set hash = $1, seq = $2', [before, rows.at(-1)?.seq])
}

const hashOf = (before: string, row: SealedEntry): string =>
  createHash('sha256')
    .update(`${before}\n${canonicalEntry(row)}`)
    .digest('hex')

const insertCopy = async (seq: number, of: number, id: string) =>
  await here.sql(
    `insert into gapura.audit_sealed (seq, id, occurred_at, sealed_at, actor, actor_kind, action,
       subject_kind, subject_id, owner_id, reason, request_id, operation_id, detail, hash)
     select $1, $3, occurred_at, sealed_at, actor, actor_kind, action, subject_kind, subject_id,
       owner_id, reason, request_id, operation_id, detail, repeat('a', 64)
     from gapura.audit_sealed where seq = $2`,
    [seq, of, id],
  )

const KINDS: [string, () => Promise<unknown>][] = [
  ['the first row removed', async () => await remove('seq = 1')],
  ['a row in the middle removed', async () => await remove('seq = 30')],
  ['ten rows in the middle removed', async () => await remove('seq between 21 and 30')],
  ['the last row removed', async () => await remove(`seq = ${ROWS}`)],
  ['the last ten rows removed', async () => await remove(`seq > ${ROWS - 10}`)],
  ['all rows removed', async () => await remove('true')],
  ['another actor', async () => await change("actor = 'somebody-else'")],
  ['another kind of actor', async () => await change("actor_kind = 'system'")],
  ['another action', async () => await change("action = 'payment.cancel'")],
  ['another kind of subject', async () => await change("subject_kind = 'invoice'")],
  ['another subject', async () => await change("subject_id = 'payment-1'")],
  ['another owner', async () => await change("owner_id = 'budi'")],
  ['no owner', async () => await change('owner_id = null')],
  ['another reason', async () => await change("reason = 'asked for'")],
  ['another request', async () => await change("request_id = 'request-1'")],
  ['another operation', async () => await change('operation_id = gen_random_uuid()')],
  ['another time', async () => await change("occurred_at = occurred_at - interval '1 ms'")],
  ['another time of sealing', async () => await change("sealed_at = sealed_at + interval '1 ms'")],
  ['another detail', async () => await change(`detail = '{"amount":"1.00"}'`)],
  ['a detail spelt otherwise', async () => await change(`detail = replace(detail, ':', ': ')`)],
  ['another id', async () => await change('id = gen_random_uuid()')],
  ['another hash', async () => await change("hash = repeat('b', 64)")],
  [
    'two rows swapped',
    async () => {
      await change('seq = 9999', 30)
      await change('seq = 30', 31)
      await change('seq = 31', 9999)
    },
  ],
  ['a row added at the end', async () => await insertCopy(ROWS + 1, 30, newId())],
  [
    'a row added at the end, and the head moved to it',
    async () => {
      await insertCopy(ROWS + 1, 30, newId())
      await here.sql(`update gapura.audit_head set seq = ${ROWS + 1}, hash = repeat('a', 64)`)
    },
  ],
  [
    'a row squeezed in, the later ones moved up',
    async () => {
      await here.sql('update gapura.audit_sealed set seq = seq + 1000 where seq > 30')
      await here.sql('update gapura.audit_sealed set seq = seq - 999 where seq > 1000')
      await insertCopy(31, 30, newId())
      await here.sql('update gapura.audit_head set seq = seq + 1')
    },
  ],
  [
    'a row removed, the later ones moved down',
    async () => {
      await remove('seq = 30')
      await here.sql('update gapura.audit_sealed set seq = seq + 1000 where seq > 30')
      await here.sql('update gapura.audit_sealed set seq = seq - 1001 where seq > 1000')
      await here.sql('update gapura.audit_head set seq = seq - 1')
    },
  ],
  [
    'an anchor made up to hide what was removed',
    async () => {
      await here.sql(
        `insert into gapura.audit_anchor (seq, hash, entries)
         select seq, hash, seq from gapura.audit_sealed where seq = 10`,
      )
      await remove('seq <= 10')
    },
  ],
  [
    'an anchor, and nothing removed',
    async () => {
      await here.sql(
        `insert into gapura.audit_anchor (seq, hash, entries)
       select seq, hash, seq from gapura.audit_sealed where seq = 10`,
      )
    },
  ],
  [
    'the head with another hash',
    async () => await here.sql("update gapura.audit_head set hash = repeat('c', 64)"),
  ],
  ['the head set back', async () => await here.sql('update gapura.audit_head set seq = seq - 1')],
  ['the head removed', async () => await here.sql('delete from gapura.audit_head')],
  [
    'a sealed row put back among the unsealed',
    async () =>
      await here.sql(
        `insert into gapura.audit_unsealed (id, actor, actor_kind, action, subject_kind, subject_id)
         select id, 'budi', actor_kind, action, subject_kind, subject_id
         from gapura.audit_sealed where seq = 30`,
      ),
  ],
]

test('an intact chain verifies, and unsealed rows are counted', async () => {
  await write(here.db, entryOf(ROWS + 1), entryOf(ROWS + 2))
  const verdict = await verifyAudit(here.db, { expected: [head] })
  expect(verdict).toMatchObject({ sealed: ROWS, head, anchor: null, faults: [] })
  const waiting = verdict.unsealed.map(({ subject_id }) => subject_id)
  expect(waiting.toSorted()).toEqual(['payment-61', 'payment-62'])
})

describe('verification finds:', () => {
  test.each(KINDS)('%s', async (kind, tamper) => {
    expect((await verifyAudit(here.db)).faults).toEqual([])
    await tamper()
    const { faults } = await verifyAudit(here.db)
    expect(faults.length).toBeGreaterThan(0)
    // One change is reported once, not for every row after it.
    if (kind.startsWith('another')) expect(faults.length).toBeLessThan(3)
  })

  test('the list has more than twenty kinds', () => {
    expect(KINDS.length).toBeGreaterThan(20)
  })
})

describe('an earlier head finds, although everything was hashed again:', () => {
  const REWRITES: [string, () => Promise<unknown>][] = [
    [
      'a row changed',
      async () => {
        await change("actor = 'somebody-else'")
        await rehash(30)
      },
    ],
    [
      'the end cut off',
      async () => {
        await remove(`seq > ${ROWS - 5}`)
        await rehash(1)
      },
    ],
    [
      'everything begun anew',
      async () => {
        await remove('true')
        await here.sql("update gapura.audit_head set seq = 0, hash = repeat('0', 64)")
      },
    ],
  ]
  test.each(REWRITES)('%s', async (_kind, tamper) => {
    await tamper()
    // This is the limit of the chain alone, and why its head belongs in an external log.
    expect((await verifyAudit(here.db)).faults).toEqual([])
    const { faults } = await verifyAudit(here.db, { expected: [head] })
    expect(faults).toMatchObject([{ seq: ROWS }])
  })
})
