import { expect, test } from 'vitest'
import { openAlarm } from '../../src/store/staff/alarms.ts'
import { registerSubscriber } from '../../src/store/events/subscribers.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import * as gauges from '../../src/store/maintenance/gauges.ts'
import { newId } from '../../src/store/sql/values.ts'
import { beatWorker } from '../../src/store/maintenance/jobs.ts'
import { insertPayment } from '../../src/store/payments/rows.ts'
import { insertOperation } from '../../src/store/operations/rows.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { newNotification, newOperation, newPayment } from './sample_rows.ts'
import { insertNotifications } from '../../src/store/notifications/rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const HOUR_MS = 3_600_000

test('an empty database has all gauges at zero', async () => {
  await here.do(async (tx) => {
    expect(await gauges.measureOpenOperations(tx)).toEqual({ count: 0, oldest_s: 0 })
    expect(await gauges.measureOverduePayments(tx)).toEqual({ count: 0, oldest_s: 0 })
    expect(await gauges.measureDueChecks(tx)).toEqual({ count: 0, oldest_s: 0 })
    expect(await gauges.measureOutbox(tx)).toEqual([])
    expect(await gauges.measureSilence(tx)).toBeNull()
    expect(await gauges.measureWorkers(tx)).toBe(0)
    expect(await gauges.measureJobs(tx, `${here.db.schema}_worker`)).toBeNull()
  })
})

test('waiting work is counted, with the age of the oldest', async () => {
  await here.do(async (tx) => {
    const payment = await insertPayment(tx, newPayment())
    if (payment === undefined) throw new Error('the order id is taken')
    await insertOperation(tx, newOperation(payment.id), 60_000)
    await insertNotifications(tx, [newNotification()], await readClock(tx))
    await registerSubscriber(tx, 'shop', 'beginning')
    await appendEvent(tx, {
      id: newId(),
      type: 'payment_received',
      object_kind: 'payment',
      object_id: payment.id,
      object: payment,
      previous_status: 'initiated',
      source: 'charge',
      notification_id: null,
    })
    await openAlarm(tx, {
      id: newId(),
      kind: 'late_money',
      subject_kind: 'payment',
      subject_id: payment.id,
      owner_id: payment.owner_id,
      detail: 'late',
    })
    await beatWorker(tx, { id: 'pool', description: 'here' })
  })
  await here.sql(
    `update gapura.gateway_payment
     set transaction_status = 'pending', expiry_time = gapura.now(), next_check_at = gapura.now()`,
  )
  await here.do(async (tx) => {
    expect(await gauges.measureWorkers(tx)).toBe(1)
    // The process that began it still has time.
    expect(await gauges.measureOpenOperations(tx)).toEqual({ count: 0, oldest_s: 0 })
    await moveClock(tx, HOUR_MS)
  })
  await here.do(async (tx) => {
    for (const measure of [
      gauges.measureOpenOperations,
      gauges.measureOverduePayments,
      gauges.measureDueChecks,
    ]) {
      const { count, oldest_s } = await measure(tx)
      expect([measure.name, count]).toEqual([measure.name, 1])
      expect(oldest_s).toBeGreaterThanOrEqual(3_600)
      expect(oldest_s).toBeLessThan(7_200)
    }
    const [shop] = await gauges.measureOutbox(tx)
    expect(shop).toMatchObject({ subscriber: 'shop', dead: 0 })
    expect(shop?.lag_s).toBeGreaterThanOrEqual(3_600)
    expect(await gauges.measureSilence(tx)).toBeGreaterThanOrEqual(3_600)
    const open = (await gauges.measureOpenAlarms(tx)).filter(({ count }) => count > 0)
    expect(open).toEqual([{ kind: 'late_money', count: 1 }])
    // An hour without a heartbeat.
    expect(await gauges.measureWorkers(tx)).toBe(0)
  })
})

test('counting stops at a hundred', async () => {
  await here.do(async (tx) => {
    for (let n = 0; n < gauges.GAUGE_COUNT_MAX + 5; n += 1) {
      await openAlarm(tx, {
        id: newId(),
        kind: 'reversal',
        subject_kind: 'payment',
        subject_id: newId(),
        owner_id: null,
        detail: 'many',
      })
    }
    const reversals = (await gauges.measureOpenAlarms(tx)).find(({ kind }) => kind === 'reversal')
    expect(reversals?.count).toBe(gauges.GAUGE_COUNT_MAX)
  })
})
