/** Fields of published samples that the simulator leaves out or writes otherwise, on purpose. */
interface FieldDifference {
  /** Names of samples, without folder and ending. */
  samples: string[]
  /** Paths into the sample. */
  fields: string[]
  why: string
}

export const FIELD_DIFFERENCES: readonly FieldDifference[] = [
  {
    samples: [
      'cancel_credit_card__cancel_card_page',
      'capture_credit_card__capture_card_page',
      'charge_credit_card__capture',
    ],
    fields: ['settlement_time'],
    why: 'a settlement time before there was a settlement; the status tables forbid it',
  },
  {
    samples: ['charge_credit_card__pending_3ds_otp_submitted', 'credit_card__capture_3ds_otp'],
    fields: ['three_ds_challenge_completion'],
    why: 'an older spelling of challenge_completion',
  },
  {
    samples: ['charge_qris__pending_expire_time'],
    fields: ['expire_time'],
    why: 'a second spelling of expiry_time, on this one sample',
  },
  {
    samples: ['create_invoice__pending'],
    fields: [
      'created_as',
      'quotation_date',
      'quotation_title',
      'quotation_validity_date',
      'quotation_pdf_url',
      'quotation_terms_conditions',
      'quotation_published_date',
    ],
    why: 'quotation fields on an invoice; quotations are not simulated',
  },
  {
    samples: [
      'create_subscription_credit_card__active',
      'create_subscription_gopay__active',
      'create_subscription_gopay__active_node',
    ],
    fields: ['schedule.previous_execution_at'],
    why: 'an execution before the first one; the reference says the first charge comes later',
  },
  {
    samples: ['deny_credit_card__cancel_status'],
    fields: ['transaction_status'],
    why: 'a deny call answered with cancel; the reference page says deny',
  },
  {
    samples: ['get_card_token__200_older_3ds'],
    fields: ['redirect_url'],
    why: 'the older 3DS, where the token call and not the charge gave the page',
  },
  {
    samples: ['get_status_credit_card__capture'],
    fields: [
      'merchant_cross_reference_id',
      'payment_option_type',
      'reference_id',
      'shopeepay_reference_number',
    ],
    why: 'the sample shows fields of other payment types on a card',
  },
  {
    samples: ['get_status_credit_card__capture_settled_times'],
    fields: ['reference_id', 'settlement_time'],
    why: 'a field of another payment type, and a settlement time before settlement',
  },
  {
    samples: [
      'get_status_credit_card__partial_refund',
      'get_status_credit_card__partial_refund_bank_confirmed',
    ],
    fields: ['payment_option_type'],
    why: 'a field of GoPay on a card',
  },
  {
    samples: ['bank_transfer_bca__pending_numeric_fields'],
    fields: ['gross_amount', 'status_code'],
    why: 'numbers where every other notification has strings; a fault can send such a thing',
  },
  {
    samples: ['gopay__settlement_payment_link_signed'],
    fields: ['payment_link_id'],
    why: 'payment links belong to the hosted checkout',
  },
]
