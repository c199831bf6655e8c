import type { NewPayment } from '../../store/payments/rows.ts'

/** What a payment inherits from the object it pays. */
export type LinkedTo = Pick<
  NewPayment,
  | 'owner_id'
  | 'invoice_id'
  | 'subscription_id'
  | 'gross_amount'
  | 'customer_first_name'
  | 'customer_last_name'
  | 'customer_email'
  | 'customer_phone'
  | 'metadata'
>
