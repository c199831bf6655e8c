// What must hold after a process died and the others went on: returns one sentence for each broken
// promise. The simulator's ledger is the reference.
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { requestOf, type useService } from '../services/service_bench.ts'

type Service = ReturnType<typeof useService>

const { caller } = requestOf()

const broken = (promise: string, is: unknown, should: unknown): string[] =>
  is === should ? [] : [`${promise}: ${String(is)}, not ${String(should)}`]

/** Nothing stays open. */
async function openFaults(service: Service): Promise<string[]> {
  const [row] = await service.database.sql(
    "select count(*)::int as n from gapura.gateway_operation where state in ('started', 'unknown')",
  )
  return broken('operations left open', row?.['n'], 0)
}

/** At most one charge, and every charge of the gateway is in our database. */
export async function chargeFaults(service: Service, order_id: string): Promise<string[]> {
  const rows = await service.database.sql(
    'select transaction_status from gapura.gateway_payment where order_id = $1 and not refused',
    [order_id],
  )
  const made = (await service.ledger(order_id))?.charges ?? 0
  return [
    ...(await openFaults(service)),
    ...broken('payments in our database for the charges made', rows.length, made),
    ...(made > 1 ? [`${made} charges of one order`] : []),
    ...rows.flatMap((row) => broken('the payment', row['transaction_status'], 'pending')),
  ]
}

/** Never more refunded than asked for, and our amounts equal the gateway's. */
export async function refundFaults(
  service: Service,
  { id, order_id }: { id: string; order_id: string },
  { paid, asked }: { paid: number; asked: number },
): Promise<string[]> {
  const refunded = (await service.ledger(order_id))?.refunded ?? 0
  const payment = await readPayment(service.ctx, caller, id)
  return [
    ...(await openFaults(service)),
    ...(refunded > asked ? [`${refunded} paid back where ${asked} was asked`] : []),
    ...broken('refunded in our database', payment?.refund_amount, `${refunded}.00`),
    ...broken('left to refund', payment?.refundable_amount, `${paid - refunded}.00`),
  ]
}

/** The payment has the gateway's status. */
export async function actionFaults(
  service: Service,
  { id, order_id }: { id: string; order_id: string },
): Promise<string[]> {
  const { transaction_status } = await service.ctx.gateway.getStatus(order_id)
  const payment = await readPayment(service.ctx, caller, id)
  return [
    ...(await openFaults(service)),
    ...broken('the payment', payment?.transaction_status, transaction_status),
  ]
}

/** A notification that the gateway will not repeat is applied, and published once. */
export async function webhookFaults(service: Service, id: string): Promise<string[]> {
  const payment = await readPayment(service.ctx, caller, id)
  const events = await service.database.sql(
    "select id from gapura.gateway_event where object_id = $1 and type = 'payment_settled'",
    [id],
  )
  return [
    ...broken('the payment', payment?.transaction_status, 'settlement'),
    ...broken('payment_settled published', events.length, 1),
  ]
}

/** A settled payment that can be refunded. */
export async function payAndSettle(service: Service, order_id: string, id: string): Promise<void> {
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(service.ctx, caller, id)
}
