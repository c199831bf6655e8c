import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumMoney } from '../../src/domain/money.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  findRefundByKey,
  finishRefund,
  insertRefund,
  listRefunds,
  releaseRefund,
  reserveRefund,
} from '../../src/store/refunds/rows.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { applyReportedRefunds, type ReportedRefund } from '../../src/store/refunds/reports.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { addPaidPayment, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const amounts = (refund_reserved_amount: bigint, refunded_amount: bigint) => ({
  captured_amount: 100n,
  refunded_amount,
  refund_reserved_amount,
})

const refundOf = async (
  tx: Tx,
  payment_id: string,
  amount: bigint,
  refund_key: string = newId(),
) => {
  there(await reserveRefund(tx, payment_id, amount))
  const refund = { payment_id, amount, refund_key, owner_id: 'owner-1', reason: 'returned' }
  return there(await insertRefund(tx, { ...refund, id: newId(), is_direct: false }))
}

const reported = (refund_key: string, amount: bigint): ReportedRefund => ({
  id: newId(),
  refund_key,
  amount,
  reason: 'from the dashboard',
  is_direct: false,
  confirmed_at: null,
})

describe('a reservation', () => {
  test('takes from what is left, and not a hundredth more', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      expect(await reserveRefund(tx, id, 60n)).toEqual(amounts(60n, 0n))
      expect(await reserveRefund(tx, id, 41n)).toBeUndefined()
      expect(await reserveRefund(tx, id, 40n)).toEqual(amounts(100n, 0n))
      expect(await reserveRefund(tx, id, 1n)).toBeUndefined()
    })
  })

  test('of zero or less is refused', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      expect(await reserveRefund(tx, id, 0n)).toBeUndefined()
      expect(await reserveRefund(tx, id, -5n)).toBeUndefined()
    })
  })

  test('is released or settled once, and no more than is there', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      await reserveRefund(tx, id, 20n)
      const { refund_key } = await refundOf(tx, id, 40n)
      expect((await applyReportedRefunds(tx, id, [reported(refund_key, 40n)]))?.amounts).toEqual(
        amounts(20n, 40n),
      )
      expect(await releaseRefund(tx, id, 21n)).toBeUndefined()
      expect(await releaseRefund(tx, id, 20n)).toEqual(amounts(0n, 40n))
      expect(await releaseRefund(tx, id, 1n)).toBeUndefined()
    })
  })

  test('of many at once never exceeds what was captured', async () => {
    const { id } = await here.do(async (tx) => await addPaidPayment(tx, 100n))
    const race = Array.from(
      { length: 12 },
      async () => await here.do(async (tx) => await reserveRefund(tx, id, 15n)),
    )
    const won = (await Promise.all(race)).filter((reserved) => reserved !== undefined)
    expect(won).toHaveLength(6)
  })
})

describe('a refund', () => {
  test('is pending until it is finished, and is finished once', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      const refund = await refundOf(tx, id, 30n)
      expect(refund).toMatchObject({ status: 'pending', source: 'service', amount: 30n })
      const end = {
        status: 'succeeded',
        status_code: '200',
        status_message: 'Success',
        confirmed_at: null,
      } as const
      expect(await finishRefund(tx, refund.id, end)).toMatchObject(end)
      expect(await finishRefund(tx, refund.id, { ...end, status: 'failed' })).toBeUndefined()
      expect(await findRefundByKey(tx, id, refund.refund_key)).toMatchObject(end)
      expect(await findRefundByKey(tx, id, 'other')).toBeUndefined()
    })
  })

  test('of ours never shares its key with another, on any payment', async () => {
    const twice = here.do(async (tx) => {
      const one = await addPaidPayment(tx, 100n)
      const other = await addPaidPayment(tx, 100n)
      await refundOf(tx, one.id, 1n, 'same-key')
      await refundOf(tx, other.id, 1n, 'same-key')
    })
    await expect(twice).rejects.toThrow('gateway_refund_own_key')
  })
})

describe('a report of refunds', () => {
  test('settles ours, adds those made elsewhere, and changes nothing when repeated', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      const ours = await refundOf(tx, id, 30n)
      await refundOf(tx, id, 20n)
      const report = [reported(ours.refund_key, 30n), reported('dashboard', 10n)]
      expect((await applyReportedRefunds(tx, id, report))?.amounts).toEqual(amounts(20n, 40n))
      const again = report.map((one) => ({ ...one, id: newId() }))
      expect((await applyReportedRefunds(tx, id, again))?.amounts).toEqual(amounts(20n, 40n))
      const found = (await listRefunds(tx, id)).map(({ amount, status, source }) => [
        amount,
        status,
        source,
      ])
      expect(found).toHaveLength(3)
      expect(found).toEqual(
        expect.arrayContaining([
          [30n, 'succeeded', 'service'],
          [20n, 'pending', 'service'],
          [10n, 'succeeded', 'gateway'],
        ]),
      )
    })
  })

  test('of another amount than ours releases the whole reservation and counts what was paid', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      const ours = await refundOf(tx, id, 30n)
      const report = [reported(ours.refund_key, 25n)]
      expect((await applyReportedRefunds(tx, id, report))?.amounts).toEqual(amounts(0n, 25n))
    })
  })

  test('later confirms what it reported first', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      const report = reported('dashboard', 10n)
      await applyReportedRefunds(tx, id, [report])
      const confirmed_at = new Date('2026-11-14T00:00:00Z')
      await applyReportedRefunds(tx, id, [{ ...report, id: newId(), confirmed_at }])
      await applyReportedRefunds(tx, id, [{ ...report, id: newId(), confirmed_at: null }])
      expect(await listRefunds(tx, id)).toMatchObject([{ amount: 10n, confirmed_at }])
    })
  })

  test('that does not fit yet returns a value, not an error, and changes nothing', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      await refundOf(tx, id, 95n)
      expect(await applyReportedRefunds(tx, id, [reported('dashboard', 10n)])).toBeUndefined()
      expect(await listRefunds(tx, id)).toHaveLength(1)
      expect(await lockPayment(tx, id)).toMatchObject(amounts(95n, 0n))
    })
  })

  test('revives a refund that was given up', async () => {
    await here.do(async (tx) => {
      const { id } = await addPaidPayment(tx, 100n)
      const refund = await refundOf(tx, id, 30n)
      const end = { status_code: '202', status_message: null, confirmed_at: null }
      await finishRefund(tx, refund.id, { ...end, status: 'failed' })
      await releaseRefund(tx, id, 30n)
      expect(
        (await applyReportedRefunds(tx, id, [reported(refund.refund_key, 30n)]))?.amounts,
      ).toEqual(amounts(0n, 30n))
    })
  })

  test('keeps the sums equal to the rows, in any order of reports', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('refund' as const), amount: fc.bigInt(1n, 60n) }),
      fc.record({ do: fc.constant('report' as const), extra: fc.bigInt(1n, 40n) }),
      fc.record({ do: fc.constant('refuse' as const), which: fc.nat(5) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await here.do(async (tx) => {
          const { id } = await addPaidPayment(tx, 100n)
          for (const taken of steps) await take(tx, id, taken)
          const payment = there(await lockPayment(tx, id))
          const refunds = await listRefunds(tx, id)
          const sum = (status: string) =>
            sumMoney(refunds.filter((one) => one.status === status).map(({ amount }) => amount))
          expect(payment.refunded_amount).toBe(sum('succeeded'))
          expect(payment.refund_reserved_amount).toBe(sum('pending'))
          expect(sum('succeeded') + sum('pending')).toBeLessThanOrEqual(100n)
        })
      }),
      { numRuns: 40 },
    )
  })
})

type Step =
  | { do: 'refund'; amount: bigint }
  | { do: 'report'; extra: bigint }
  | { do: 'refuse'; which: number }

async function take(tx: Tx, id: string, step: Step): Promise<void> {
  const refunds = await listRefunds(tx, id)
  const pending = refunds.filter(({ status }) => status === 'pending')
  if (step.do === 'refund') {
    const reserved = await reserveRefund(tx, id, step.amount)
    if (reserved === undefined) return
    const refund = { payment_id: id, amount: step.amount, refund_key: newId(), reason: 'returned' }
    await insertRefund(tx, { ...refund, id: newId(), owner_id: 'owner-1', is_direct: true })
  } else if (step.do === 'report') {
    const known = refunds
      .filter(({ status }) => status !== 'failed')
      .map(({ refund_key, amount }) => reported(refund_key, amount))
    await applyReportedRefunds(tx, id, [...known, reported(newId(), step.extra)])
  } else {
    const refused = pending[step.which % Math.max(pending.length, 1)]
    if (refused === undefined) return
    const end = { status: 'failed', status_code: '412', status_message: null, confirmed_at: null }
    await finishRefund(tx, refused.id, { ...end, status: 'failed' })
    await releaseRefund(tx, id, refused.amount)
  }
}
