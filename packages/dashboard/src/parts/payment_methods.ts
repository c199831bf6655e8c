import type { PaymentType } from '@gapura/sdk'

/** The payment methods, the most used first. */
export const PAYMENT_METHODS: readonly PaymentType[] = [
  'bank_transfer',
  'qris',
  'gopay',
  'credit_card',
  'shopeepay',
  'dana',
  'ovo',
  'echannel',
  'cstore',
  'kredivo',
  'akulaku',
]
