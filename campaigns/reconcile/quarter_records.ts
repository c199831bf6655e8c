// The gateway of a simulated quarter, as the campaign keeps it by plain addition.
import type { Random } from '../bench/random.ts'
import { feeOf, idOf, METHODS, type Paid } from './world.ts'

export const FIRST_DAY = '2026-07-01'
export const DAYS = 92
export const PAYMENTS = 100_000
/** Weekdays of these months on which banks are closed. */
const HOLIDAYS = new Set(['2026-08-17', '2026-08-25'])
const DAY_MS = 86_400_000
const CUT_OFF_DAYS = 3

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const isBusinessDay = (day: string): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(day)
}

function businessDayAfter(day: string, days: number): string {
  let at = day
  for (let left = days; left > 0;) {
    at = dayAfter(at, 1)
    if (isBusinessDay(at)) left -= 1
  }
  return at
}

export interface Sold extends Paid {
  fee: number
  /** The day on which it is on the gateway's balance. */
  settles_on: string
  history_status: string
  /** What the portal's list of movements says of it later. */
  refund?: { amount: number; day: string; learned_on: string; key: string }
}

/** The gateway as this campaign keeps it. */
export class Records {
  balance = 0
  readonly payable = new Map<string, number>()
  readonly by_day = new Map<string, Sold[]>()
  /** By the day on which the gateway makes them. */
  readonly refunds = new Map<string, Sold[]>()
  payouts = 0
  payments = 0
}

export const push = <Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void => {
  map.set(key, [...(map.get(key) ?? []), item])
}

const clock = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')

export function sell(random: Random, day: string, number: number): Sold {
  const method = random.pick(METHODS)
  const amount = 10_000 + Math.floor(random.fraction() * 2_000_000)
  const paid_at = `${day}T${clock(3_600 + Math.floor(random.fraction() * 75_000))}`
  const name = `Q-${number}`
  const is_card = method.type === 'credit_card'
  const settles_on = is_card ? dayAfter(day, 1) : day
  const settled_at = is_card ? `${settles_on}T02:00:00` : paid_at
  const sold: Sold = {
    name,
    method,
    amount,
    paid_at,
    settled_at,
    fee: feeOf(method, amount),
    settles_on,
    history_status: 'SETTLEMENT',
  }
  if (!is_card && random.chance(0.002)) {
    return { ...sold, status: 'chargeback', charged_back: amount, history_status: 'CHARGEBACK' }
  }
  if (!is_card && random.chance(0.02)) {
    const part = random.chance(0.5) ? amount : Math.ceil(amount / 3)
    // Half of them are made on the portal, and their webhook is lost for two days.
    const learned_on = random.chance(0.5) ? day : dayAfter(day, 2)
    return {
      ...sold,
      status: part === amount ? 'refund' : 'partial_refund',
      history_status: 'REFUND',
      refund: { amount: part, day, learned_on, key: `refund-${name}` },
    }
  }
  return sold
}

/** A day's movements on the gateway's balance. */
export function settle(records: Records, day: string): number {
  let change = 0
  for (const { amount, fee, charged_back = 0 } of records.by_day.get(day) ?? []) {
    change += amount - fee - charged_back
  }
  for (const { refund } of records.refunds.get(day) ?? []) change -= refund?.amount ?? 0
  const ready = businessDayAfter(day, CUT_OFF_DAYS)
  records.payable.set(ready, (records.payable.get(ready) ?? 0) + change)
  return change
}

export interface PaidOut {
  amount: number
  reference: string
  failed: boolean
}

/** Everything that is payable is paid out on business days; one in twenty fails on the same day. */
export function payOut(records: Records, day: string, random: Random): PaidOut | undefined {
  if (!isBusinessDay(day)) return undefined
  let amount = 0
  for (const [ready, part] of records.payable) {
    if (ready <= day) {
      amount += part
      records.payable.delete(ready)
    }
  }
  if (amount < 50_000) {
    records.payable.set(day, amount)
    return undefined
  }
  records.payouts += 1
  const failed = random.chance(0.05)
  if (failed) records.payable.set(dayAfter(day, 1), amount)
  return { amount, reference: `WLST${idOf(day).replaceAll('-', '').slice(0, 14)}`, failed }
}

export const bankFile = (day: string, { amount, reference }: PaidOut): string => {
  const short = day.slice(2).replaceAll('-', '')
  return [
    ':20:STMT',
    ':25:0700000000001',
    ':28C:1/1',
    `:60F:C${short}IDR0,00`,
    `:61:${short}${short.slice(2)}C${amount},00NTRF${reference}`,
    `:86:DARI DOMPET ANAK BANGSA ${reference}`,
    `:62F:C${short}IDR${amount},00`,
    '-',
    '',
  ].join('\n')
}
