import type { Fields } from '../wire/fields.ts'
import { fieldsAt, has, isFields } from '../wire/fields.ts'

/** The merchant as the gateway knows it. */
export interface Settings {
  server_key: string
  client_key: string
  merchant_id: string
  /**
   * Dashboard URLs; nothing is sent, only recorded, while one is empty
   * (gateway-protocol.md#notification-transport).
   */
  notification_url: string
  recurring_notification_url: string
  pay_account_notification_url: string
  /** Switched-off channels, by payment type or `bank_transfer:bca` and `cstore:indomaret`. */
  channels_off: Set<string>
  /** Payable balance for refunds; null: unlimited. */
  balance: number | null
  /**
   * A fee imposed on the customer, added to gross_amount when the payer pays
   * (gateway-protocol.md#payment-notifications).
   */
  customer_fee: number
  point_balance: number
  /**
   * Whether a payment of an invoice carries the invoice's own order id; not documented
   * (gateway-protocol.md#invoice-notifications).
   */
  invoice_order_id: 'same' | 'suffixed'
  /**
   * What a second create call for an order id answers; not documented
   * (gateway-protocol.md#hosted-checkout).
   */
  checkout_repeat: 'new' | 'same' | 'refused'
  /** Whether the account may cancel a hosted page. */
  checkout_cancel: boolean
  notification_timeout_ms: number
  /** What BI-SNAP calls are signed with; without a public key every signature is refused. */
  bi_snap: BiSnapMerchant
  /** Whether the amount of a line of the transaction history is without its fee; not documented. */
  history_amount: 'net' | 'gross'
  /** Closed days of banks beside weekends, as `2026-01-01`. */
  holidays: ReadonlySet<string>
}

/** The merchant's side of BI-SNAP, as the portal shows it. */
export interface BiSnapMerchant {
  client_id: string
  client_secret: string
  partner_id: string
  /** PEM, or empty. */
  public_key: string
}

type SettingsFault = string

/** Applies a control request, or returns its fault and changes nothing. */
export function changeSettings(settings: Settings, body: Fields): SettingsFault[] {
  const faults: SettingsFault[] = []
  const changes: Partial<Settings> = {}
  for (const key of URL_KEYS) {
    const value = body[key]
    if (value === undefined) continue
    if (typeof value === 'string' && (value === '' || URL.canParse(value))) changes[key] = value
    else faults.push(`${key} must be a URL, or empty`)
  }
  for (const key of NUMBER_KEYS) {
    const value = body[key]
    if (value === undefined) continue
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) changes[key] = value
    else faults.push(`${key} must be a whole number`)
  }
  if ('balance' in body) {
    const { balance } = body
    if (balance === null || (typeof balance === 'number' && Number.isSafeInteger(balance)))
      changes.balance = balance
    else faults.push('balance must be whole rupiah or null')
  }
  changeWords(changes, body, faults)
  changeHolidays(changes, body, faults)
  if (has(body, 'channels') && !isFields(body['channels']))
    faults.push('channels must be an object')
  if (faults.length > 0) return faults
  // All or nothing: a partial change would be hard to notice.
  Object.assign(settings, changes)
  for (const [channel, on] of Object.entries(fieldsAt(body, 'channels'))) {
    if (on === false) settings.channels_off.add(channel)
    else settings.channels_off.delete(channel)
  }
  return []
}

function changeWords(changes: Partial<Settings>, body: Fields, faults: SettingsFault[]): void {
  const { invoice_order_id, checkout_repeat, checkout_cancel, history_amount } = body
  if (invoice_order_id === 'same' || invoice_order_id === 'suffixed') {
    changes.invoice_order_id = invoice_order_id
  } else if (invoice_order_id !== undefined) {
    faults.push('invoice_order_id must be same or suffixed')
  }
  if (checkout_repeat === 'new' || checkout_repeat === 'same' || checkout_repeat === 'refused') {
    changes.checkout_repeat = checkout_repeat
  } else if (checkout_repeat !== undefined) {
    faults.push('checkout_repeat must be new, same or refused')
  }
  if (typeof checkout_cancel === 'boolean') changes.checkout_cancel = checkout_cancel
  else if (checkout_cancel !== undefined) faults.push('checkout_cancel must be true or false')
  if (history_amount === 'net' || history_amount === 'gross') {
    changes.history_amount = history_amount
  } else if (history_amount !== undefined) faults.push('history_amount must be net or gross')
}

function changeHolidays(changes: Partial<Settings>, body: Fields, faults: SettingsFault[]): void {
  const { holidays } = body
  const days = Array.isArray(holidays) ? holidays.filter((day) => typeof day === 'string') : []
  if (holidays !== undefined) {
    const dated = Array.isArray(holidays) && days.length === holidays.length && days.every(isDay)
    if (dated) changes.holidays = new Set(days)
    else faults.push('holidays must be a list of days as 2026-01-01')
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

const NUMBER_KEYS = ['customer_fee', 'point_balance', 'notification_timeout_ms'] as const

/** Where each kind of notification goes. */
export const URL_KEYS = [
  'notification_url',
  'recurring_notification_url',
  'pay_account_notification_url',
] as const

/** The settings as the control API shows them; keys stay out of it. */
export function shownSettings(settings: Settings): Fields {
  const { server_key: _server, client_key: _client, bi_snap, channels_off, ...shown } = settings
  const { client_id, partner_id } = bi_snap
  return {
    ...shown,
    channels_off: [...channels_off],
    holidays: [...settings.holidays],
    bi_snap: { client_id, partner_id },
  }
}
