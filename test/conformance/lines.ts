/** How a sentence of the specification is met: checked, or decided where it leaves a gap. */
export interface Line {
  /** Hash of section, text and place, so that a changed sentence is not matched. */
  hash: string
  id: string
  how: 'check' | 'gap'
  /** The check or the decision. */
  by: string
  /** Of a decision: what its section must contain, so that the pointer leads to what is claimed. */
  terms: readonly string[]
  /** In our own words. */
  says: string
}

// Every table row and every sentence of the interface specification, in its order.
const TABLE = `
1cf9a762d8 0-scope | check:any_prefix | a payment layer in front of a gateway, with all its routes
599268248f 0-endpoints | check:any_prefix | HTTP endpoints for every resource
d28ec8c22d 0-base | check:any_prefix | paths are relative to the base
c5bbf8868a 0-prefix | check:any_prefix | the integrator chooses the prefix
f6f38e1cf8 0-names | check:models_named | names carry the neutral word Gateway
8b7c452fa1 1-a | check:charge_created | charges are made at the gateway and recorded
8c5613fe41 1-b | check:eleven_types | all payment types are accepted
988974ece7 1-c | check:payments_managed | callers list, read, refresh, cancel, expire, refund and capture
e8539488b1 1-d1 | check:webhook_applied | webhooks are received
3bb10acc4d 1-d2 | check:webhook_applied | webhooks are verified, recorded, applied and published
1780161548 1-e | check:invoices_managed | invoices are created, listed, read and voided
f0f9a30cbf 1-f | check:subscriptions_managed | subscriptions are created, listed, read, disabled, enabled, cancelled
8ecdf86aad 1-g | check:client_operations | a client wraps the gateway's API
89670654d4 1-h | check:tasks_run | background tasks sync state
5a8d291dd4 2-resources | check:models_named | the seven resources
8e31a42789 2-models | check:models_named | the names of the seven models
3014a98e6a 2.1-id | check:field_id | id is a UUID and the pk of paths
d60fe96507 2.1-order_id | check:field_order_id | order_id is what the gateway knows
230d6e9b70 2.1-payment_type | check:field_payment_type | payment_type is one of the enumeration
c9fdc5d03a 2.1-gross_amount | check:field_gross_amount | gross_amount is text with two decimals
c7dd68a19e 2.1-status | check:field_status | transaction_status names the state
53f158f9b7 2.1-va | check:field_va_number | virtual accounts have a va_number
4ed6fb6301 2.1-other | gap:api-rules.md#payments~refundable_amount~payer_instructions | the other fields of a payment
17eef5f83f 2.2-list | check:list_reduced | lists show a reduced form
9787227b40 2.2-list-fields | gap:api-rules.md#payments~customer_email~created_at | the fields of the list form
00419b0b50 2.2-item | check:items_kept | items come from item_details
d6006f8897 2.2-item-fields | gap:api-rules.md#payments~full form | the fields of an item
b3d7e124a2 2.2-notification | check:webhook_recorded | an accepted webhook has a record, linked to its payment
27410cd287 2.2-notification-id | check:webhook_recorded | its id is answered
c8a08e997d 2.2-notification-fields | gap:api-rules.md#the-webhook~store | the fields of the record
9984d7139b 2.2-invoice | check:invoice_created | invoices are created from their input
e4cc7afc6f 2.2-invoice-fields | gap:api-rules.md#invoices~full form | the fields of an invoice
a2e8176d0b 2.2-subscription | check:subscription_created | subscriptions are created from their input
3bcbe5eb82 2.2-subscription-fields | gap:api-rules.md#subscriptions~never returned | the fields of a subscription
5e69b04864 2.2-refund | check:refund_returned | a refund is returned under its name, with a key no caller chose
cb5c45f4f1 2.2-refund-fields | gap:api-rules.md#replies~{payment, refund} | the fields of a refund
a8e6ff72e0 2.3-charge | check:charge_created | the charge input is that of POST /charge/
0fc25cec50 2.3-type | check:input_payment_type | charge input payment_type
ef0ff861ef 2.3-gross | check:input_gross_amount | charge input gross_amount
470b146901 2.3-bank | check:input_bank | charge input bank
f3538c22c9 2.3-customer | check:input_customer | charge input customer_details
d90f06c17c 2.3-items | check:input_items | charge input item_details
2b943960b2 2.3-expiry | check:input_custom_expiry | a custom expiry is taken, its fields decided by us
c9b308c3f8 2.3-refund | check:input_refund | the refund input is that of the refund route
1ae6629cdc 2.3-refund-amount | check:input_refund | refund input amount
3274389ccf 2.3-refund-reason | check:input_refund | refund input reason
d1d905254d 2.3-refund-direct | check:input_refund | refund input direct
60c602a688 2.3-capture | check:input_capture | capture input amount
3d4918975f 3-status | check:field_status | transaction_status holds the status
47f97a3844 3-named | check:payment_statuses | pending and settlement are statuses
f1da350e2b 3-statuses | gap:gateway-protocol.md#transaction-statuses~authorize~partial_refund | all statuses of a payment
ac8c58a6c2 3-other-statuses | gap:gateway-protocol.md#invoice-statuses~voided | statuses of fraud, invoices, subscriptions, notifications
2ace9ff3c6 3-rules | check:cancel_rule | the rules below hold
128f9a0f02 3-1a | check:cancel_rule | cancel only before the end
d545bab66a 3-1b | check:cancel_rule | cancelling after the end is 400
97aa220976 3-2a | check:expire_rule | expire only while pending
0665daf676 3-2b | check:expire_rule | expiring anything else is 400
7aa17169bd 3-3 | check:refund_rule | refund only what is paid
5e90f039b4 3-4 | check:capture_rule | capture only an authorized card
46dce69cef 3-5a | check:webhook_applied | an accepted webhook changes the payment
c8085ba434 3-5b | gap:transitions.md#the-table~settlement~expire | which notification leads to which status
4b6a5b6153 3-6a | check:subscription_actions | disable is temporary
56ba02e669 3-6b | check:subscription_actions | enable undoes disable
ccd9c8e6c9 3-6c | check:subscription_actions | cancel is permanent
16ff91dd95 3-7a | check:check_status | check_status asks the gateway
b3a4732bf7 3-7b | check:check_status | and updates the record
6afb408a25 3-transitions | gap:transitions.md#the-table~settlement | the transition tables
8c42297ff5 4-json | check:json_only | bodies are JSON
27a43b6883 4-callers | check:callers_only | everything but the webhook needs a caller
fb3546bfcf 4.1-permission | check:charge_needs_caller | charging needs a caller
2cc537b1bf 4.1-request | check:charge_created | charging takes the charge input
e145d66e21 4.1-success | check:charge_created | a charge answers 201
d00556ab9a 4.1-body | check:charge_created | with the full form
c707eebfbe 4.1-failure | check:charge_400 | invalid input and gateway errors answer 400
6f87516db8 4.2-own | check:visibility | owners see their own payments
0a7eca08ce 4.2-staff | check:visibility | staff see all payments
f8d1de42b7 4.2-callers | check:callers_only | payments need a caller
e16845d54a 4.2-list | check:list_filters | GET /payments/ with its two filters
7ec5dbf1e9 4.2-read | check:read_payment | GET /payments/{pk}/
4437e5c9c8 4.2-check | check:check_status | GET /payments/{pk}/check_status/
b1189c36a9 4.2-cancel | check:cancel_rule | POST /payments/{pk}/cancel/
e54a28febc 4.2-expire | check:expire_rule | POST /payments/{pk}/expire/
6f91fce8e6 4.2-refund | check:refund_returned | POST /payments/{pk}/refund/
cb042729b4 4.2-capture | check:capture_rule | POST /payments/{pk}/capture/
6b10392adb 4.2-readonly | check:payments_read_only | payments cannot be written but by their actions
2018aec232 4.3-open | check:webhook_open | the webhook is open to everyone
d74171c67b 4.3-reachable | check:webhook_applied | the gateway reaches it
bf4f9fc7a3 4.3-request | check:webhook_payload | the webhook takes the gateway's payload
600ffbd7ca 4.3-fields | check:webhook_payload | with at least order, status and signature
cf3908a377 4.3-signed | check:webhook_payload | the signature covers status_code and gross_amount
5477854505 4.3-payload | gap:gateway-protocol.md#payment-notifications~transaction_id | all fields of the payload
13fa7e8690 4.3-order | check:webhook_order | verified first, then recorded, applied, published
38544640ff 4.3-success | check:webhook_recorded | the webhook answers status and notification_id
a1ab84e4ce 4.4-list | check:invoices_listed | GET /invoices/
74c0e4835a 4.4-create | check:invoice_created | POST /invoices/
9db83b2e60 4.4-read | check:invoice_read | GET /invoices/{pk}/
0ca7e8cb8e 4.4-void | check:invoice_voided | POST /invoices/{pk}/void/
ebb7a44c36 4.4-body | check:invoice_created | creating makes the invoice at the gateway
1bd5e3bf96 4.4-name | check:invoice_name | invoice input customer_name
e902cf8596 4.4-email | check:invoice_email | invoice input customer_email
228c2b0a2a 4.4-due | check:invoice_due | invoice input due_date
aaa83e1601 4.4-items | check:invoice_items | invoice input items
74ab18bbb5 4.4-notes | check:invoice_notes | invoice input notes
15cda926cb 4.4-callers | check:callers_only | invoices need a caller
48830cf5c1 4.5-list | check:subscription_list | GET /subscriptions/
c96fff0365 4.5-create | check:subscription_created | POST /subscriptions/
be5a7fac8d 4.5-read | check:subscription_read | GET /subscriptions/{pk}/
7ecbbac001 4.5-action | check:subscription_actions | POST /subscriptions/{pk}/{action_name}/
21301f5d66 4.5-actions | check:subscription_actions | the three actions
0c0a3b1e43 4.5-body | check:subscription_created | the create input
cbf85f583e 4.5-name | check:subscription_name | subscription input name
eb58fb6501 4.5-amount | check:subscription_amount | subscription input amount
fcafe2e3ed 4.5-type | check:subscription_type | subscription input payment_type
e17d0d7cc0 4.5-token | check:subscription_token | subscription input token
ccc748061b 4.5-interval | check:subscription_interval | subscription input interval
8f74313ff5 4.5-unit | check:subscription_unit | subscription input interval_unit
04c9025951 4.5-max | check:subscription_max | subscription input max_interval
576073d951 4.5-callers | check:callers_only | subscriptions need a caller
82903d3edd 4.6-pages | gap:api-rules.md#lists~page_size~newest first | how lists are paged
ac98fc8b3d 4.6-lists | gap:api-rules.md#lists~due_before~results | how invoice and subscription lists look
c9e2820442 4.6-actions | gap:api-rules.md#replies~200~full form | what cancel, expire and capture answer
b58b8c19bd 4.6-writes | gap:api-rules.md#replies~201~full form | what creating, voiding and acting answer
b775a88c57 4.6-bounds | gap:api-rules.md#charge-input~Unknown fields are 400 | which fields are required, and their bounds
5d8c49186b 4.7-mount | check:any_prefix | one prefix for all routes
0b14b3d9d4 4.8-client | check:client_operations | a client with these operations and defaults
a482698afd 4.8-core | check:client_core | core payment operations of the client
636646682d 4.8-card | check:client_card | card operations of the client
08fcd7a0f5 4.8-wallet | check:client_wallet | wallet operations of the client
6dacc51647 4.8-subscription | check:client_subscription | subscription operations of the client
73cd3b9175 4.8-invoice | check:client_invoice | invoice operations of the client
2721d526fd 4.8-signature | check:client_signature | verify_signature of the client
73132addc2 4.8-payments | check:payment_layer | the payment layer
01df7cd062 4.8-invoices | check:invoice_layer | the invoice layer
88ce374f6d 4.8-subscriptions | check:subscription_layer | the subscription layer
acd8c31401 4.8-paths | gap:gateway-protocol.md#operations~/v2/charge | paths and replies of the operations
09d1587e5a 5-callers | check:callers_only | everything but the webhook needs a caller
f783d954de 5-webhook | check:webhook_open | the webhook is protected by its signature
ea1125a0d4 5-staff | check:visibility | owners see their own, staff see all
f852986c0c 5-signature | check:client_signature | what the signature check takes
fccc2844cf 5-client-key | check:client_card | card operations take a client key
5e17743525 5-scheme | gap:ADR-0020~Authorization: Bearer | how callers authenticate
2827603c0c 5-algorithm | gap:gateway-protocol.md#signature~SHA | how a signature is computed
b91f4cca9c 5-owners | gap:ADR-0020~invoices and subscriptions | who owns invoices and subscriptions
09a5496a5d 5-settings | gap:configuration.md~GATEWAY_SERVER_KEY~GATEWAY_CLIENT_KEY | what the settings are called
e233b8f6bb 6.1-inbound | check:webhook_applied | the gateway sends to the webhook
e7c61411f4 6.1-retries | gap:gateway-protocol.md#notification-retries~retr | how the gateway retries
767ad36695 6.2-emitted | check:signals_delivered | signals are emitted
0117a67616 6.2-order | check:webhook_applied | after the payment is updated
6cb6023d0a 6.2-payment | check:signals_delivered | payment signals
8dfd8ff94b 6.2-invoice | check:signals_delivered | invoice signals
d88c18a907 6.2-subscription | check:signals_delivered | subscription signals
1894ae92b9 6.2-when | gap:transitions.md#events~payment_settled | which transition emits which signal
79a67a8179 6.2-arguments | gap:events.md#the-envelope~sequence~previous_status | what a signal carries
ee33200929 6.3-tasks | check:tasks_run | the seven tasks
087cde87b2 6.3-effects | gap:tasks.md~check_pending_payments~every half hour~process_refund_async | their schedules and effects
e9844271a6 7-charge | check:charge_400 | a charge that is invalid or refused answers 400
6ee164cb35 7-cancel | check:cancel_rule | cancelling after the end answers 400
6215653119 7-expire | check:expire_rule | expiring a payment that is not pending answers 400
d0cb000bac 7-capture | gap:api-rules.md#actions~credit_card~400 | capturing a payment that is not a card
a6b730ffe1 7-kinds | check:error_kinds | the seven kinds of errors
fcf518f7d5 7-inheritance | gap:api-rules.md#errors~flat under | how they inherit
cbe031727e 7-bodies | gap:api-rules.md#errors~RFC 9457~catalogue | bodies and statuses of errors
137927fef3 7-401 | gap:api-rules.md#authentication~401 | callers without credentials
1e7acb4ee8 7-webhook | gap:errors.md#signature_invalid~403 | a webhook with a wrong signature
184ea363e7 7-foreign | gap:ADR-0020~404 | another owner's payment
4482ad835e 8-limits | gap:security.md#limits~429 | limits
3b84577a18 8-kind | check:error_kinds | the kind for rate limits
fe468c1d0b 9-release | check:release | the release number
d7298f0023 9-paths | check:any_prefix | no version in paths
c9e104e778 9-prefix | check:any_prefix | any prefix
eaeafba47a 9-policy | gap:ADR-0023~Breaking | how versions are kept compatible`

const HOWS = ['check', 'gap'] as const

export const LINES: readonly Line[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [place = '', met = '', says = ''] = row.split(' | ')
    const [hash = '', id = ''] = place.split(' ')
    const [, word, target = ''] = /^(\w+):(.+)$/.exec(met) ?? []
    const [by = '', ...terms] = target.split('~')
    const how = HOWS.find((one) => one === word)
    if (how === undefined) throw new Error(`this row cannot be read: ${row}`)
    return { hash, id, how, by, terms, says }
  })
