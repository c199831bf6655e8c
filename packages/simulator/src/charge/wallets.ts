import { coreError } from '../http/reply.ts'
import type { Fields } from '../wire/fields.ts'
import { fieldsAt, has, isFields, listAt, textAt } from '../wire/fields.ts'
import { SECOND_MS } from '../wire/times.ts'
import type { World } from '../world/world.ts'
import { expiryOf } from './expiry.ts'
import type { Outcome } from './opening.ts'
import type { ChargeRequest } from './request.ts'

/** One entry of the actions list. */
export const action = (name: string, url: string, method = 'GET'): Fields => ({ name, method, url })

/** The payer's page in the simulator, with a Pay button. */
export const payPage = (world: World, transaction_id: string): string =>
  `${world.base_url}/_sim/pages/pay/${transaction_id}`

const qrActions = (world: World, id: string, type: string): Fields[] => [
  action('generate-qr-code', `${world.base_url}/v2/${type}/${id}/qr-code`),
  action('generate-qr-code-v2', `${world.base_url}/v4/${type}/${id}/qr-code`),
]

/** GoPay by deeplink or QR code; the tokenized kind is in `gopay_tokenized.ts`. */
export function openGopay(world: World, request: ChargeRequest): Outcome {
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  return {
    status: 'pending',
    status_message: 'GoPay transaction is created',
    fraud_status: 'accept',
    details: { channel_response_code: '200', channel_response_message: 'Success' },
    instructions: (id) => ({
      actions: [
        ...qrActions(world, id, 'gopay'),
        action('deeplink-redirect', payPage(world, id)),
        action('get-status', `${world.base_url}/v2/${id}/status`),
        { ...action('cancel', `${world.base_url}/v2/${id}/cancel`, 'POST'), fields: [] },
      ],
    }),
    expires_at: expiry,
  }
}

const ACQUIRERS = ['gopay', 'airpay shopee']

/** A QR code any bank or wallet can pay. */
export function openQris(world: World, request: ChargeRequest): Outcome {
  const named = textAt(fieldsAt(request.body, 'qris'), 'acquirer') ?? 'gopay'
  const acquirer = named === 'airpay' ? 'airpay shopee' : named
  if (!ACQUIRERS.includes(acquirer))
    return { messages: [`qris.acquirer must be one of ${ACQUIRERS.join(', ')}`] }
  const expiry = expiryOf({ ...request, channel: acquirer }, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  return {
    status: 'pending',
    status_message: 'QRIS transaction is created',
    fraud_status: 'accept',
    channel: acquirer,
    details: { acquirer },
    instructions: (id) => ({
      actions: qrActions(world, id, 'qris'),
      qr_string: qrString(world, request, id),
    }),
    expires_at: expiry,
  }
}

/** A QRIS payload: tagged fields, the amount in tag 54. The checksum is not a real one. */
function qrString(world: World, { gross_amount }: ChargeRequest, id: string): string {
  const tag = (name: string, value: string): string =>
    `${name}${String(value.length).padStart(2, '0')}${value}`
  return [
    tag('00', '01'),
    tag('01', '12'),
    tag('26', `0014COM.GO-JEK.WWW01${world.settings.merchant_id}`),
    tag('53', '360'),
    tag('54', `${gross_amount}.00`),
    tag('58', 'ID'),
    tag('59', 'GAPURA SIMULATOR'),
    tag('62', tag('50', id)),
    tag('63', '0000'),
  ].join('')
}

/** A deeplink into the ShopeePay app. */
export function openShopeepay(world: World, request: ChargeRequest): Outcome {
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  return {
    status: 'pending',
    status_message: 'ShopeePay transaction is created',
    fraud_status: 'accept',
    details: { channel_response_code: '0', channel_response_message: 'success' },
    instructions: (id) => ({ actions: [action('deeplink-redirect', payPage(world, id))] }),
    expires_at: expiry,
  }
}

// The order expires after 65 s, ten more than the customer has (gateway-protocol.md#payment-types).
const OVO_LIFE_MS = 65 * SECOND_MS
const OVO_PHONE = /^(?:\+?62|0)8\d{7,12}$/
/** Numbers with this ending are unknown to OVO, so that a test can provoke the refusal. */
const OVO_UNKNOWN_ENDING = '0000'

/** A push to the payer's OVO app; the number must exist there. */
export function openOvo(world: World, request: ChargeRequest): Outcome {
  if (has(request.body, 'custom_expiry'))
    return { messages: ['custom_expiry is not supported for ovo'] }
  const phone = textAt(fieldsAt(request.body, 'ovo'), 'payer_phone_number')
  if (phone === undefined) return { messages: ['ovo.payer_phone_number is required'] }
  if (!OVO_PHONE.test(phone)) return { messages: ['ovo.payer_phone_number is invalid'] }
  if (phone.endsWith(OVO_UNKNOWN_ENDING)) {
    const status_message = "User with requested phone number doesn't exist"
    return { refusal: coreError('404', world.random.uuid(), { status_message }) }
  }
  return {
    status: 'pending',
    status_message: 'Ovo transaction is created',
    fraud_status: 'accept',
    details: {
      payer_phone_number: phone,
      merchant_invoice: `INV${world.random.digits(11)}`,
    },
    expires_at: world.clock.now() + OVO_LIFE_MS,
  }
}

/** Not documented on this endpoint: accepted, with a reply like its status sample. */
export function openDana(world: World, request: ChargeRequest): Outcome {
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  return {
    status: 'pending',
    status_message: 'DANA transaction is created',
    fraud_status: 'accept',
    instructions: (id) => ({ actions: [action('deeplink-redirect', payPage(world, id))] }),
    expires_at: expiry,
  }
}

const PAYLATER_MESSAGES: Record<string, string> = {
  akulaku: 'Success, Akulaku transaction is created',
  kredivo: 'Kredivo transaction is created',
}

/** Akulaku and Kredivo need the customer and the items. */
export function openPaylater(world: World, request: ChargeRequest): Outcome {
  const { payment_type, body } = request
  const messages: string[] = []
  if (!isFields(body['customer_details'])) messages.push('customer_details is required')
  const items = listAt(body, 'item_details').filter(isFields)
  if (items.length === 0) messages.push('item_details is required')
  const ids = items.map((item) => item['id']).filter((id) => id !== undefined)
  if (payment_type === 'akulaku' && new Set(ids).size < ids.length)
    messages.push('item_details must not repeat an id')
  if (messages.length > 0) return { messages }
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  const channel_response_code = payment_type === 'kredivo' ? 'OK' : ''
  const channel_response_message = payment_type === 'kredivo' ? 'Success Create Transaction' : ''
  return {
    status: 'pending',
    status_message: PAYLATER_MESSAGES[payment_type] ?? '',
    fraud_status: 'accept',
    details: { channel_response_code, channel_response_message },
    instructions: (id) => ({ redirect_url: payPage(world, id) }),
    expires_at: expiry,
  }
}
