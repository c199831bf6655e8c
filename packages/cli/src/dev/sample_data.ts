import {
  PAYMENT_TYPES,
  type Caller,
  type ChargeInput,
  type Gapura,
  type GatewaySettings,
  type PaymentType,
} from 'gapura'
import { tokenOfCard } from '../card_token.ts'
import type { SimulatorControl } from '../simulator_control.ts'

const CUSTOMERS = [
  { first_name: 'Ani', last_name: 'Lestari', email: 'ani@example.com', phone: '081234567890' },
  { first_name: 'Budi', last_name: 'Santoso', email: 'budi@example.com', phone: '081298765432' },
  { first_name: 'Citra', last_name: 'Dewi', email: 'citra@example.com', phone: '081311112222' },
]

/** The smallest input of each payment type. */
async function inputOf(payment_type: PaymentType, gateway: GatewaySettings): Promise<ChargeInput> {
  const gross_amount = 0
  switch (payment_type) {
    case 'credit_card': {
      const token_id = await tokenOfCard(gateway)
      return { payment_type, gross_amount, token_id, authentication: false }
    }
    case 'bank_transfer':
      return { payment_type, gross_amount, bank: 'bca' }
    case 'cstore':
      return { payment_type, gross_amount, store: 'alfamart' }
    case 'ovo':
      return { payment_type, gross_amount, payer_phone_number: '081234567890' }
    case 'akulaku':
    case 'kredivo':
      return { payment_type, gross_amount, item_details: [], customer_details: {} }
    default:
      return { payment_type, gross_amount }
  }
}

/** The final status of each, so that the samples contain every status. */
const ENDS: Readonly<Partial<Record<PaymentType, string>>> = {
  bank_transfer: 'pay',
  gopay: 'pay',
  qris: 'pay',
  shopeepay: 'deny',
  cstore: 'expire',
}

interface Samples {
  gapura: Gapura
  caller: Caller
  simulator: SimulatorControl
  gateway: GatewaySettings
}

/** A payment of every type, some paid, one refunded; only where there is none yet. */
export async function addSampleData({
  gapura,
  caller,
  simulator,
  gateway,
}: Samples): Promise<number> {
  const { api } = gapura
  const { results } = await api.listPayments(caller, { page_size: 1 })
  if (results.length > 0) return 0
  for (const [index, payment_type] of PAYMENT_TYPES.entries()) {
    const price = 25_000 * (index + 2)
    const payment = await api.createCharge(caller, {
      ...(await inputOf(payment_type, gateway)),
      order_id: `sample-${String(index + 1).padStart(2, '0')}-${Date.now().toString(36)}`,
      gross_amount: price,
      customer_details: { phone: '081234567890', ...CUSTOMERS[index % CUSTOMERS.length] },
      item_details: [{ id: `tea-${index + 1}`, name: 'Teh Melati', price, quantity: 1 }],
    })
    const end = ENDS[payment_type]
    if (end !== undefined) await simulator.act(`transactions/${payment.order_id}/${end}`)
    if (payment_type !== 'gopay') continue
    await api.checkStatus(caller, payment.id)
    await api.refundPayment(caller, payment.id, { amount: price, reason: 'the tea was cold' })
  }
  return PAYMENT_TYPES.length
}
