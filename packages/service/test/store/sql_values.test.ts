import fc from 'fast-check'
import { types } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MONEY_MAX } from '../../src/domain/money.ts'
import { toJson } from '../../src/store/sql/values.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const money = fc.bigInt({ min: -MONEY_MAX, max: MONEY_MAX })

// A host that set the driver's parsers for itself must not change what we read.
const changed = [16, 20, 23, 1082, 1184, 1700, 3802]
const original = changed.map((oid) => types.getTypeParser(oid) as (text: string) => unknown)
beforeAll(() => {
  for (const oid of changed) types.setTypeParser(oid, () => 'changed by the host')
})
afterAll(() => {
  for (const [index, oid] of changed.entries()) {
    const parser = original[index]
    if (parser !== undefined) types.setTypeParser(oid, parser)
  }
})

test('every amount is read back from numeric(15,2) as it was written', async () => {
  await here.do(async (tx) => {
    await fc.assert(
      fc.asyncProperty(money, async (amount) => {
        const [row] = await tx.query<{ amount: bigint }>('select $1::numeric(15,2) as amount', [
          amount,
        ])
        expect(row?.amount).toBe(amount)
      }),
      { numRuns: 300 },
    )
  })
})

test('amounts inside JSON become the same numeric', async () => {
  await here.do(async (tx) => {
    await fc.assert(
      fc.asyncProperty(money, async (amount) => {
        const [row] = await tx.query<{ amount: bigint }>(
          'select amount from jsonb_to_record($1::jsonb) as row(amount numeric(15,2))',
          [toJson({ amount })],
        )
        expect(row?.amount).toBe(amount)
      }),
      { numRuns: 100 },
    )
  })
})

test('a numeric that is no amount is an error, never rounded', async () => {
  await expect(here.do(async (tx) => await tx.query('select 0.001::numeric as x'))).rejects.toThrow(
    'must be an amount',
  )
})

test('each type has one form, whatever the host set in the driver', async () => {
  const at = new Date('2026-11-14T03:04:05.678Z')
  const [row] = await here.do(
    async (tx) =>
      await tx.query(
        `select $1::timestamptz as at, $2::date as day, $3::xid8 as xid, $4::bigint as big,
           $5::boolean as yes, $6::integer as count, $7::jsonb as json, $8::text[] <@ $8 as array,
           null::timestamptz as nothing`,
        [at, '2026-11-30', '18446744073709551615', '9007199254740993', true, 7, '{"a":[1]}', ['x']],
      ),
  )
  expect(row).toEqual({
    at,
    day: '2026-11-30',
    xid: '18446744073709551615',
    big: '9007199254740993',
    yes: true,
    count: 7,
    json: { a: [1] },
    array: true,
    nothing: null,
  })
})

test('any payload that JSON can carry can be stored, hostile text too', async () => {
  const hostile = {
    'ke\0y': 'va\0lue',
    lone: '\uD800',
    nested: [{ '\uDFFF': '\0' }],
    fine: 'é😀\\u0000',
  }
  const [row] = await here.do(
    async (tx) =>
      await tx.query('select $1::jsonb as payload, $2::text as text', [toJson(hostile), 'a\0b']),
  )
  expect(row).toEqual({
    payload: {
      'ke\uFFFDy': 'va\uFFFDlue',
      lone: '\uFFFD',
      nested: [{ '\uFFFD': '\uFFFD' }],
      fine: 'é😀\\u0000',
    },
    text: 'a\uFFFDb',
  })
})

test('any value survives as JSON once its strings are well formed', async () => {
  await here.do(async (tx) => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        await tx.query('select $1::jsonb as payload', [toJson(JSON.parse(text))])
      }),
      { numRuns: 100 },
    )
  })
})
