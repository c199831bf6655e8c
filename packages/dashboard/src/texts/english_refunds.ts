/** Refunds in English. */
export const ENGLISH_REFUNDS = {
  page_refunds: 'Refunds',
  refunds_empty: 'No refunds match these filters.',
  refund_source: 'Made',
  source_service: 'here',
  source_gateway: 'at the gateway',
  source_outside: 'outside the gateway',
  refund_by: 'Requested and approved by',
  refund_reference: 'Transfer number',
  refund_evidence: 'Evidence',
  refund_evidence_hint: 'For example: slip in the finance folder, account of the customer checked',
  action_record_refund: 'Record a refund…',
  record_title: 'Record a refund that was paid to {payee} outside the gateway',
  record_lead:
    'For money that was sent back by bank transfer. Nothing is paid by this: a second person checks it, then it counts as refunded.',
  record_do: 'Request approval of {amount}',
  record_amount: 'Refunded amount in rupiah',
  effect_of_record: 'Another person must approve it before it counts.',
  record_reference_missing: 'Enter the number of the transfer, as the bank shows it.',
  held_outside_title: 'A refund of {amount} to {payee}, paid outside the gateway, needs approval',
  held_outside_effect: 'It is recorded as refunded. The gateway is not asked and pays nothing.',
} as const
