// Any answer that settles an unsettled report closes its alarm.
import { expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { useReports } from './report_bench.ts'

const { service, caller, charged, fault, clearFaults, mute, sixHours, signed } = useReports()

test('a caller’s status request settles the report: the alarm is closed', async () => {
  const { id, order_id, transaction_id } = await charged('gopay')
  const body = { status_code: '200', transaction_id, order_id, transaction_status: 'frozen' }
  await fault('get_status', 'status', { times: null, options: { http_status: 200, body } })
  await receiveNotification(service.ctx, signed(order_id, { transaction_status: 'frozen' }))
  await sixHours()
  const open = async () =>
    (
      await service.database.sql(
        'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
        [id],
      )
    ).map(({ kind }) => kind)
  expect(await open()).toEqual(['report_unsettled'])
  await clearFaults()
  await mute()
  await getStatus(service.ctx, caller, id)
  await sixHours()
  expect(await open()).toEqual([])
})
