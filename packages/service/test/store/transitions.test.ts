import { expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import {
  appendTransitions,
  listTransitions,
  type NewTransition,
} from '../../src/store/events/history.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const history = (object_id: string): NewTransition[] => {
  const step = { object_kind: 'payment', object_id, owner_id: 'owner-1', reason: null } as const
  return [
    {
      ...step,
      version: 1,
      from_status: null,
      to_status: 'initiated',
      source: 'charge',
      evidence_id: null,
    },
    {
      ...step,
      version: 2,
      from_status: 'initiated',
      to_status: 'settlement',
      source: 'notification',
      evidence_id: newId(),
    },
  ]
}

test('the history is read as it was written, first step first', async () => {
  const id = newId()
  const steps = history(id)
  await here.do(async (tx) => await appendTransitions(tx, [...steps].reverse()))
  const listed = await here.do(async (tx) => await listTransitions(tx, id))
  expect(listed).toEqual(steps.map((step) => ({ ...step, occurred_at: expect.any(Date) as Date })))
})

test('a version cannot be written twice', async () => {
  const steps = history(newId())
  await here.do(async (tx) => await appendTransitions(tx, steps))
  await expect(
    here.do(async (tx) => await appendTransitions(tx, steps.slice(1))),
  ).rejects.toMatchObject({ code: '23505' })
})

test('the past cannot be changed, deleted or truncated by any role', async () => {
  const id = newId()
  await here.do(async (tx) => await appendTransitions(tx, history(id)))
  const changes = [
    "update gapura.gateway_transition set to_status = 'refund'",
    'delete from gapura.gateway_transition',
    'truncate gapura.gateway_transition',
  ]
  for (const change of changes) await expect(here.sql(change)).rejects.toThrow('append-only')
  expect(await here.do(async (tx) => await listTransitions(tx, id))).toHaveLength(2)
})
