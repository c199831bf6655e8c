// Operator events: what publishes them, who gets them, and that a storm gives few messages.
import { describe, expect, test } from 'vitest'
import { SIGNALS } from '../../src/domain/signals.ts'
import { alertSubscriber } from '../../src/events/staff_alerts.ts'
import { publishOperatorEvent } from '../../src/store/events/outbox.ts'
import { findSilence } from '../../src/store/notifications/silence.ts'
import { openAlarm } from '../../src/store/staff/alarms.ts'
import { newId } from '../../src/store/sql/values.ts'
import { addPayment } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { olderEventsPassed, Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()
const { here } = bench
const alarm = async () =>
  await here.do(async (tx) => {
    const id = newId()
    const subject = { subject_kind: 'payment', subject_id: newId() } as const
    await openAlarm(tx, {
      id,
      kind: 'late_money',
      ...subject,
      owner_id: 'ani',
      detail: 'Ani, 0812',
    })
    return id
  })

describe('an operator event', () => {
  test('of an alarm is published in its transaction, once, without owner and detail', async () => {
    const id = await alarm()
    const rows = await here.sql(
      "select owner_id, type, object_kind, sequence, object from gapura.gateway_event where object ->> 'id' = $1",
      [id],
    )
    expect(rows).toMatchObject([
      {
        owner_id: '',
        type: 'alarm_opened',
        object_kind: 'operator',
        sequence: 1,
        object: { kind: 'late_money' },
      },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Ani|0812/)
    const again = await here.do(async (tx) => {
      const [open] = await tx.query<{ kind: 'late_money'; subject_id: string }>(
        'select kind, subject_id from gapura.gateway_alarm where id = $1',
        [id],
      )
      const subject = { subject_kind: 'payment', subject_id: open?.subject_id ?? '' } as const
      return await openAlarm(tx, {
        id: newId(),
        kind: 'late_money',
        ...subject,
        owner_id: null,
        detail: '',
      })
    })
    expect(again).toBe(false)
    const [count] = await here.sql(
      "select count(*)::int as n from gapura.gateway_event where type = 'alarm_opened'",
    )
    expect(count).toEqual({ n: 1 })
  })

  test('reaches no ordinary subscriber', async () => {
    const recorder = new Recorder()
    const relay = await bench.relay({
      subscribers: [recorder.subscriber('ordinary', undefined, SIGNALS)],
    })
    await alarm()
    const [id = ''] = await bench.payments(1)
    await bench.publish(id)
    await bench.heard(recorder, 1)
    await eventually(
      async () =>
        (
          await here.sql(
            "select cursor_xid::text as xid from gapura.event_subscriber where name = 'ordinary'",
          )
        )[0],
      (row) => row?.['xid'] !== '0',
    )
    await relay.stop()
    expect(recorder.received.map(({ object }) => object.id)).toEqual([id])
  })

  test('gateway_silent is published once for each silence, and only if payments were made', async () => {
    expect(await here.do(async (tx) => await findSilence(tx, 2))).toBeUndefined()
    await here.do(async (tx) => await addPayment(tx, { order_id: newId() }))
    await here.sql(
      "update gapura.gateway_payment set created_at = created_at - interval '1 hour', transaction_status = 'pending'",
    )
    const silence = await here.do(async (tx) => await findSilence(tx, 2))
    expect(silence?.last_at).toBeNull()
    const id = silence?.id ?? ''
    await here.do(
      async (tx) =>
        await publishOperatorEvent(
          tx,
          { type: 'gateway_silent', object: { id, hours: 2, last_notification_at: null } },
          id,
        ),
    )
    expect(await here.do(async (tx) => await findSilence(tx, 2))).toBeUndefined()
  })
})

describe('a storm', () => {
  test('of 1,000 alarms gives one message at once and a few summaries that count them all', async () => {
    const messages: string[] = []
    let clock = 0
    await olderEventsPassed(here)
    const relay = await bench.relay({
      subscribers: [
        alertSubscriber({
          name: 'staff.storm',
          rest_ms: 60_000,
          now: () => clock,
          send: async ({ text: said }) => await Promise.resolve(void messages.push(said)),
        }),
      ],
    })
    await alarm()
    await eventually(
      () => Promise.resolve(messages.length),
      (count) => count === 1,
    )
    await here.do(async (tx) => {
      for (let n = 0; n < 1_000; n++) {
        const object = {
          id: newId(),
          kind: 'outcome_unknown',
          subject_kind: 'operation',
          subject_id: newId(),
        } as const
        await publishOperatorEvent(tx, { type: 'alarm_opened', object })
      }
    })
    const delivered = () => relay.stats()[0]?.delivered ?? 0
    // A minute passes whenever the channel rests.
    await eventually(
      () => {
        clock += 60_000
        return Promise.resolve(delivered())
      },
      (count) => count >= 1_001,
    )
    expect(messages.length).toBeLessThanOrEqual(8)
    const counted = messages
      .slice(1)
      .map((said) => Number(/(\d+) × alarm opened/.exec(said)?.[1] ?? 1))
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(1_000)
    expect(relay.stats()[0]).toMatchObject({ failed: 0, dead: 0 })
  })

  test('a channel that fails loses nothing: its events are in the next message', async () => {
    const messages: string[] = []
    const failures: unknown[] = []
    let clock = 0
    let is_down = true
    const relay = await bench.relay({
      subscribers: [
        alertSubscriber({
          name: 'staff.failing',
          now: () => (clock += 30_000),
          onFailure: (error) => failures.push(error),
          send: async ({ text: said }) => {
            if (is_down) throw new Error('down')
            await Promise.resolve(void messages.push(said))
          },
        }),
      ],
    })
    const id = await alarm()
    await eventually(
      () => Promise.resolve(failures.length),
      (count) => count >= 2,
    )
    is_down = false
    await eventually(
      () => Promise.resolve(messages.length),
      (count) => count >= 1,
    )
    expect(messages.join('\n')).toContain('late_money')
    expect(messages.join('\n')).not.toContain('Ani')
    expect(id).toBeDefined()
    expect(relay.stats()[0]).toMatchObject({ failed: 0, dead: 0 })
  })
})
