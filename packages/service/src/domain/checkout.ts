import type { Money } from './money.ts'
import type { Metadata } from './payment.ts'
import type { PaymentType } from './payment_type.ts'

/**
 * `initiated`: stored, not answered clearly yet. `failure`: no page that anyone can open. `open`:
 * the payer can pay, or a payment made on the page has not ended.
 */
export const CHECKOUT_STATUSES = [
  'initiated',
  'failure',
  'open',
  'completed',
  'expired',
  'cancelled',
] as const

export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number]

export interface CheckoutItem {
  item_id: string | null
  name: string
  /** Whole rupiah with two decimals, as in replies. */
  price: string
  quantity: number
}

/** The local record of one page of the gateway where the payer chooses how to pay. */
export interface GatewayCheckout {
  id: string
  owner_id: string
  order_id: string
  status: CheckoutStatus
  amount: Money
  currency: string
  description: string | null
  return_url: string | null
  /** Null: every method that the gateway offers and this service knows. */
  payment_types: readonly PaymentType[] | null
  page_expiry_minutes: number
  payment_expiry_minutes: number | null
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  items: readonly CheckoutItem[]
  metadata: Metadata
  /** The page, for its owner and staff alone; both are removed when it ends. */
  token: string | null
  redirect_url: string | null
  fingerprint: string
  /** When the gateway ends the page; null until it has answered. */
  expires_at: Date | null
  completed_at: Date | null
  /** The one payment that counts; null until one is paid. */
  payment_id: string | null
  /** After a cancellation: whether the gateway confirmed that the page takes no more payments. */
  page_closed: boolean | null
  version: number
  next_check_at: Date | null
  created_at: Date
  updated_at: Date
}

export const PAGE_MINUTES_MIN = 5
export const PAGE_MINUTES_MAX = 7 * 24 * 60
export const PAGE_MINUTES_DEFAULT = 24 * 60

const MINUTE_MS = 60_000
/** While it is young the payer is most likely at the page. */
const FIRST_CHECKS_MS = [1, 3, 7, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
const OPEN_EVERY_MS = 60 * MINUTE_MS
/** The gateway ends in batches, up to 90 s late; a method chosen in the last second is found then. */
export const AFTER_PAGE_MS = 2 * MINUTE_MS
/** A page that is over waits for the payments made on it, which have checks of their own. */
const WAITING_EVERY_MS = 10 * MINUTE_MS

type Planned = Pick<
  GatewayCheckout,
  'status' | 'expires_at' | 'page_expiry_minutes' | 'page_closed'
>

/** Whether the page takes no more payments, as far as our clock can say. */
export const isPageOver = (
  { expires_at }: Pick<GatewayCheckout, 'expires_at'>,
  now: Date,
): boolean => expires_at !== null && now.getTime() >= expires_at.getTime() + AFTER_PAGE_MS

/**
 * When to ask the gateway next whether a payment was made on the page; null if none can come. A page
 * that was cancelled here alone, or completed, is asked about once more when it is over.
 */
export function nextCheckoutCheckAt(checkout: Planned, now: Date): Date | null {
  const { status, expires_at } = checkout
  if (expires_at === null || status === 'initiated' || status === 'failure') return null
  const over_at = new Date(expires_at.getTime() + AFTER_PAGE_MS)
  const over = over_at <= now
  if (status === 'open') {
    if (over) return new Date(now.getTime() + WAITING_EVERY_MS)
    const opened = expires_at.getTime() - checkout.page_expiry_minutes * MINUTE_MS
    const age = now.getTime() - opened
    const young = FIRST_CHECKS_MS.find((ms) => ms > age)
    const planned =
      young === undefined ? new Date(now.getTime() + OPEN_EVERY_MS) : new Date(opened + young)
    return planned < over_at ? planned : over_at
  }
  if (over || status === 'expired') return null
  return status === 'cancelled' && checkout.page_closed === true ? null : over_at
}
