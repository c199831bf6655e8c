import type { Money } from './money.ts'
import { PAYMENT_TYPE, QRIS_ACQUIRERS, variantOf, type PaymentType } from './payment_type.ts'
import { TYPE_INPUTS } from './payment_type_row.ts'

export interface FieldFault {
  field: string
  message: string
}

/** The parts of a charge that the payment type's row decides on. Absent inputs are not listed. */
export interface ChargeShape {
  payment_type: PaymentType
  /** Names of the inputs that the caller gave. */
  given: ReadonlySet<string>
  bank?: string
  store?: string
  qris_acquirer?: string
}

/** Inputs that a payment type misses, does not accept, or cannot use: all faults at once. */
export function inputFaults(charge: ChargeShape): FieldFault[] {
  const { payment_type, given, bank, store, qris_acquirer } = charge
  const { required, optional, banks, stores } = PAYMENT_TYPE[payment_type]
  const faults: FieldFault[] = []
  for (const field of required) {
    if (!given.has(field)) faults.push({ field, message: `is required for ${payment_type}` })
  }
  for (const field of TYPE_INPUTS) {
    const taken = required.includes(field) || optional.includes(field)
    if (given.has(field) && !taken) {
      faults.push({ field, message: `must be left out for ${payment_type}` })
    }
  }
  const named = [
    ['bank', bank, banks],
    ['store', store, stores],
    ['qris_acquirer', qris_acquirer, QRIS_ACQUIRERS],
  ] as const
  for (const [field, value, known] of named) {
    if (value === undefined || known.length === 0 || known.some((one) => one === value)) continue
    faults.push({ field, message: `must be one of ${known.join(', ')}` })
  }
  return faults
}

export const EXPIRY_UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const

export type ExpiryUnit = keyof typeof EXPIRY_UNITS

/** The fault of a custom expiry outside the gateway's bounds for this type, or undefined. */
export function expiryFault(
  payment_type: PaymentType,
  expiry: { expiry_duration: number; unit: ExpiryUnit },
  qris_acquirer?: string,
): FieldFault | undefined {
  const { custom } = PAYMENT_TYPE[payment_type].expiry
  const field = 'custom_expiry'
  if (custom === null) return { field, message: `must be left out for ${payment_type}` }
  const { min_s } = custom
  const max_s = variantOf({ payment_type }, qris_acquirer).expiry_max_s ?? custom.max_s
  const seconds = expiry.expiry_duration * EXPIRY_UNITS[expiry.unit]
  if (seconds >= min_s && seconds <= max_s) return undefined
  return { field, message: `must be ${min_s} to ${max_s} seconds for ${payment_type}` }
}

/**
 * Advice, never a refusal: the acquirer's published bounds change and merchants may have tighter
 * ones, so the gateway decides. Says whether the amount is outside them.
 */
export function amountAdvice(
  charge: Pick<ChargeShape, 'payment_type' | 'bank' | 'store'>,
  amount: Money,
): 'below_usual_minimum' | 'above_usual_maximum' | undefined {
  const limit = variantOf(charge).limit ?? PAYMENT_TYPE[charge.payment_type].limit
  if (amount < limit.min) return 'below_usual_minimum'
  return limit.max !== null && amount > limit.max ? 'above_usual_maximum' : undefined
}
