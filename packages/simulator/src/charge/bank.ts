import { fieldsAt, has, isFields, textAt } from '../wire/fields.ts'
import type { World } from '../world/world.ts'
import { expiryOf } from './expiry.ts'
import type { Outcome } from './opening.ts'
import type { ChargeRequest } from './request.ts'

interface VaRule {
  prefix: string
  /** Digits the merchant may choose, as the core API documents them. */
  min: number
  max: number
  drawn: number
}

const BANKS: Record<string, VaRule> = {
  bca: { prefix: '81278', min: 6, max: 18, drawn: 10 },
  bni: { prefix: '98885002', min: 1, max: 8, drawn: 8 },
  bri: { prefix: '26215', min: 1, max: 13, drawn: 13 },
  cimb: { prefix: '2810', min: 1, max: 12, drawn: 12 },
  permata: { prefix: '850003', min: 10, max: 10, drawn: 10 },
}

const BILLER_CODE = '70012'
const BILL_KEY: VaRule = { prefix: '', min: 6, max: 12, drawn: 12 }
const DRAWS_MAX = 100

/** A virtual account of one of five banks. `payment_type: permata` is an older spelling of one. */
export function openBankTransfer(world: World, request: ChargeRequest): Outcome {
  const older = request.payment_type === 'permata'
  const object = fieldsAt(request.body, 'bank_transfer')
  if (!older && !isFields(request.body['bank_transfer']))
    return { messages: ['bank_transfer is required'] }
  const bank = older ? 'permata' : textAt(object, 'bank')
  const rule = BANKS[bank ?? '']
  if (bank === undefined || rule === undefined)
    return { messages: [`bank_transfer.bank must be one of ${Object.keys(BANKS).join(', ')}`] }
  const wanted = wantedNumber(object['va_number'], 'bank_transfer.va_number')
  if (Array.isArray(wanted)) return { messages: wanted }
  // The older spelling has the same rules.
  const expiry = expiryOf({ ...request, payment_type: 'bank_transfer' }, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  const number = assignNumber(world, rule, wanted)
  const permata = bank === 'permata'
  return {
    status: 'pending',
    status_message: permata
      ? 'Success, PERMATA VA transaction is successful'
      : 'Success, Bank Transfer transaction is created',
    fraud_status: 'accept',
    channel: bank,
    details: permata
      ? { permata_va_number: number }
      : { va_numbers: [{ bank, va_number: number }], payment_amounts: [] },
    expires_at: expiry,
    number,
  }
}

/** Mandiri bill: a biller code and a key instead of one number. */
export function openEchannel(world: World, request: ChargeRequest): Outcome {
  const object = fieldsAt(request.body, 'echannel')
  if (!isFields(request.body['echannel'])) return { messages: ['echannel is required'] }
  const missing = ['bill_info1', 'bill_info2'].filter((key) => textAt(object, key) === undefined)
  if (missing.length > 0) return { messages: missing.map((key) => `echannel.${key} is required`) }
  const wanted = wantedNumber(object['bill_key'], 'echannel.bill_key')
  if (Array.isArray(wanted)) return { messages: wanted }
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  const bill_key = assignNumber(world, BILL_KEY, wanted)
  return {
    status: 'pending',
    status_message: 'OK, Mandiri Bill transaction is successful',
    fraud_status: 'accept',
    channel: 'mandiri',
    details: { bill_key, biller_code: BILLER_CODE },
    expires_at: expiry,
    number: bill_key,
  }
}

/** A code that the payer shows at a convenience store. */
export function openCstore(world: World, request: ChargeRequest): Outcome {
  const object = fieldsAt(request.body, 'cstore')
  if (!isFields(request.body['cstore'])) return { messages: ['cstore is required'] }
  const store = textAt(object, 'store')?.toLowerCase()
  if (store !== 'indomaret' && store !== 'alfamart')
    return { messages: ['cstore.store must be indomaret or alfamart'] }
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  const indomaret = store === 'indomaret'
  const payment_code = drawNumber(world, '', indomaret ? 14 : 16)
  return {
    status: 'pending',
    status_message: 'Success, cstore transaction is successful',
    // Indomaret reports no fraud status at all (gateway-protocol.md#fraud-statuses).
    fraud_status: indomaret ? undefined : 'accept',
    channel: store,
    details: { payment_code, store },
    expires_at: expiry,
    number: payment_code,
  }
}

function wantedNumber(value: unknown, name: string): string | undefined | string[] {
  if (!has({ value }, 'value') || value === '') return undefined
  return typeof value === 'string' && /^\d+$/.test(value) ? value : [`${name} must be digits only`]
}

/**
 * A long number is cut at the end, a short one gets leading zeros, one in use is replaced
 * (gateway-protocol.md#payment-types).
 */
function assignNumber(world: World, rule: VaRule, wanted: string | undefined): string {
  if (wanted === undefined) return drawNumber(world, rule.prefix, rule.drawn)
  const number = `${rule.prefix}${wanted.slice(0, rule.max).padStart(rule.min, '0')}`
  return world.transactions.waitingOn(number) ? drawNumber(world, rule.prefix, rule.drawn) : number
}

function drawNumber(world: World, prefix: string, length: number): string {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const number = prefix + world.random.digits(length)
    if (!world.transactions.waitingOn(number)) return number
  }
  throw new Error(`no free number after ${DRAWS_MAX} draws`)
}
