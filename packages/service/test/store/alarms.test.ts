import { expect, test } from 'vitest'
import {
  closeAlarm,
  closeAlarmAbout,
  listOpenAlarms,
  openAlarm,
} from '../../src/store/staff/alarms.ts'
import { newId } from '../../src/store/sql/values.ts'
import { there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const alarm = (subject_id: string) => ({
  id: newId(),
  kind: 'late_money' as const,
  subject_kind: 'payment' as const,
  subject_id,
  owner_id: 'owner-1',
  detail: 'Paid after it had expired.',
})

test('the same problem is one open alarm, however often it is seen', async () => {
  const subject = newId()
  const seen = await Promise.all(
    Array.from(
      { length: 8 },
      async () => await here.do(async (tx) => await openAlarm(tx, alarm(subject))),
    ),
  )
  expect(seen.filter(Boolean)).toHaveLength(1)
  await here.do(async (tx) => {
    expect(await openAlarm(tx, { ...alarm(subject), kind: 'reversal' })).toBe(true)
    expect(await openAlarm(tx, alarm(newId()))).toBe(true)
  })
})

test('closed with a note it is no longer listed, and may open again', async () => {
  const subject = newId()
  await here.do(async (tx) => {
    await openAlarm(tx, alarm(subject))
    const open = there(
      (await listOpenAlarms(tx, 100)).find(({ subject_id }) => subject_id === subject),
    )
    const by = { closed_by: 'finance', note: 'refunded by hand' }
    expect(await closeAlarm(tx, open.id, by)).toMatchObject({ ...open, ...by, closed_at: {} })
    expect(await closeAlarm(tx, open.id, by)).toBeUndefined()
    const subjects = (await listOpenAlarms(tx, 100)).map(({ subject_id }) => subject_id)
    expect(subjects).not.toContain(subject)
    expect(await openAlarm(tx, alarm(subject))).toBe(true)
  })
})

test('closing by subject closes only the alarm of that subject', async () => {
  const subject = newId()
  const by = { closed_by: 'staff', note: null }
  await here.do(async (tx) => {
    await openAlarm(tx, alarm(subject))
    await openAlarm(tx, { ...alarm(subject), kind: 'reversal' })
    const about = { kind: 'late_money' as const, subject_id: subject }
    expect(await closeAlarmAbout(tx, about, by)).toMatchObject({ ...about, ...by })
    expect(await closeAlarmAbout(tx, about, by)).toBeUndefined()
    const open = (await listOpenAlarms(tx, 200)).filter((one) => one.subject_id === subject)
    expect(open.map(({ kind }) => kind)).toEqual(['reversal'])
  })
})
