import type { ChargeInput, PaymentRepresentation } from 'gapura'
import { tokenOfCard } from '../card_token.ts'
import { findPayment } from '../find_payment.ts'
import { rupiah } from '../formats.ts'
import { asMade, scenario, type Kind, type Stage } from './scenario.ts'

const PAYMENT: Kind<PaymentRepresentation> = {
  noun: 'payment',
  find: async ({ gapura, caller }, name) => await findPayment(gapura.api, caller, name),
  history: async ({ gapura, caller }, id) => await gapura.staff.paymentHistory(caller, id),
  refresh: async ({ gapura, caller }, id) => await gapura.api.checkStatus(caller, id),
  rows: (payment) => [
    ['payment', payment.id],
    ['order', payment.order_id],
    ['amount', rupiah(payment.gross_amount)],
    ['status', payment.transaction_status],
  ],
}

const ORDER = {
  gross_amount: 150_000,
  customer_details: { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' },
}

const charged =
  (input: ChargeInput) =>
  async ({ gapura, caller }: Stage): Promise<PaymentRepresentation> =>
    await gapura.api.createCharge(caller, input)

const transfer = charged({ ...ORDER, payment_type: 'bank_transfer', bank: 'bca' })
const wallet = charged({ ...ORDER, payment_type: 'gopay' })

const card = async (stage: Stage): Promise<PaymentRepresentation> => {
  const token_id = await tokenOfCard(stage.gateway)
  return await charged({
    ...ORDER,
    payment_type: 'credit_card',
    token_id,
    authentication: false,
  })(stage)
}

type Provoke = (stage: Stage, payment: PaymentRepresentation) => Promise<void>

const act =
  (name: string): Provoke =>
  async ({ simulator }, { order_id }) =>
    await simulator.act(`transactions/${encodeURIComponent(order_id)}/${name}`)

const cancelled: Provoke = async ({ gapura, caller }, { id }) => {
  await gapura.api.cancelPayment(caller, id)
}

/** Pays a pending payment first; a paid one stays as it is. */
const refunded: Provoke = async (stage, payment) => {
  const { gapura, caller } = stage
  if (payment.is_pending) await act('pay')(stage, payment)
  const { payment: paid } = await gapura.api.checkStatus(caller, payment.id)
  const input = { amount: paid.refundable_amount, reason: 'gapura trigger' }
  await gapura.api.refundPayment(caller, payment.id, input)
}

const chargedBack: Provoke = async (stage, payment) => {
  if (payment.transaction_status === 'capture') await act('settle')(stage, payment)
  await act('chargeback')(stage, payment)
}

export const PAYMENT_SCENARIOS = {
  payment_received: scenario(PAYMENT, { make: transfer, provoke: asMade }),
  payment_settled: scenario(PAYMENT, { make: transfer, provoke: act('pay') }),
  payment_denied: scenario(PAYMENT, { make: wallet, provoke: act('deny') }),
  payment_cancelled: scenario(PAYMENT, { make: transfer, provoke: cancelled }),
  payment_expired: scenario(PAYMENT, { make: transfer, provoke: act('expire') }),
  payment_refunded: scenario(PAYMENT, { make: wallet, provoke: refunded }),
  payment_failed: scenario(PAYMENT, { make: transfer, provoke: act('fail') }),
  payment_charged_back: scenario(PAYMENT, { make: card, provoke: chargedBack }),
}
