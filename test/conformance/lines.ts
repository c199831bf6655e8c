/** How a line of the specification is met: checked, or decided where it leaves a gap. */
export interface Line {
  /** Hash of section number and text, so that a changed line is not matched. */
  hash: string
  id: string
  how: 'check' | 'gap'
  /** The check or the decision. */
  by: string
  /** In our own words. */
  says: string
}

// Every bullet and table row of the interface specification, in its order.
const TABLE = `
8b18e4b901 1-a                check:charge_created       charges are made at the gateway and recorded
c0c40dc155 1-b                check:eleven_types         all payment types are accepted
fe05fee98b 1-c                check:payments_managed     callers list, read, refresh, cancel, expire, refund and capture
9b9bf56b7c 1-d                check:webhook_applied      webhooks are verified, recorded, applied and published
a2a9466582 1-e                check:invoices_managed     invoices are created, listed, read and voided
8fdeda026c 1-f                check:subscriptions_managed subscriptions are created, listed, read, disabled, enabled, cancelled
30c1a7fbce 1-g                check:client_operations    a client wraps the gateway's API
b01c5b66ea 1-h                check:tasks_named          background tasks sync state
1bae0236fe 2.1-id             check:field_id             id is a UUID and the pk of paths
60f846717f 2.1-order_id       check:field_order_id       order_id is what the gateway knows
8178f6a91c 2.1-payment_type   check:field_payment_type   payment_type is one of the enumeration
ab3c1c54fd 2.1-gross_amount   check:field_gross_amount   gross_amount is text with two decimals
518a85d820 2.1-status         check:field_status         transaction_status names the state
f210e9bbe0 2.1-va             check:field_va_number      virtual accounts have a va_number
8e9c038198 2.2-list           check:list_reduced         lists show a reduced form
e712126524 2.2-item           check:items_kept           items come from item_details
7cb112ffdd 2.2-notification   check:webhook_recorded     an accepted webhook has a record and its id is answered
09640edbec 2.2-invoice        check:invoice_form         invoices and their items have a form
3b4de50b28 2.2-subscription   check:subscription_form    subscriptions have a form
caf9fad687 2.2-refund         check:refund_returned      a refund is returned with a key no caller chose
2e2bd139d8 2.3-type           check:input_payment_type   charge input payment_type
9e5e6d7fce 2.3-gross          check:input_gross_amount   charge input gross_amount
f3410f1704 2.3-bank           check:input_bank           charge input bank
9549b5d8b5 2.3-customer       check:input_customer       charge input customer_details
d79bf7c886 2.3-items          check:input_items          charge input item_details
01a8620e79 2.3-refund-amount  check:input_refund         refund input amount
c002685c09 2.3-refund-reason  check:input_refund         refund input reason
27648d53a1 2.3-refund-direct  check:input_refund         refund input direct
7c48b1023d 3-1                check:cancel_rule          cancel only before the end, else 400
1a1fd9c173 3-2                check:expire_rule          expire only while pending, else 400
a3a849b0b7 3-3                check:refund_rule          refund only what is paid
cc38f5919f 3-4                check:capture_rule         capture only an authorized card
cbe9432d90 3-5                check:webhook_applied      an accepted webhook changes the payment
7053c8357a 3-6                check:subscription_actions subscription actions
cf0f084de4 3-7                check:check_status         check_status applies the gateway's state
55fdd67979 4.1-permission     check:charge_needs_caller  charging needs a caller
f06ebcf308 4.1-request        check:charge_created       charging takes the charge input
fd5581e549 4.1-success        check:charge_created       a charge answers 201 with the full form
0f0c99aac3 4.1-failure        check:charge_400           invalid input and gateway errors answer 400
a803ac88fe 4.2-list           check:list_filters         GET /payments/ with its two filters
3639c95c4b 4.2-read           check:read_payment         GET /payments/{pk}/
d88df3f81b 4.2-check          check:check_status         GET /payments/{pk}/check_status/
d4025e0ea8 4.2-cancel         check:cancel_rule          POST /payments/{pk}/cancel/
103ef1eea2 4.2-expire         check:expire_rule          POST /payments/{pk}/expire/
f363073cc6 4.2-refund         check:refund_returned      POST /payments/{pk}/refund/
469e34a226 4.2-capture        check:capture_rule         POST /payments/{pk}/capture/
3900dec721 4.3-open           check:webhook_open         the webhook is open to everyone
e2f7c3c786 4.3-request        check:webhook_payload      the webhook takes the gateway's payload
e8a7c6dd3c 4.3-order          check:webhook_order        verified first, then recorded, applied, published
d4208b299f 4.3-success        check:webhook_recorded     the webhook answers status and notification_id
80823c8eae 4.4-list           check:invoices_listed      GET /invoices/
0cc6241a71 4.4-create         check:invoice_created      POST /invoices/
70ac26d9be 4.4-read           check:invoice_read         GET /invoices/{pk}/
9948202941 4.4-void           check:invoice_voided       POST /invoices/{pk}/void/
914d20f790 4.4-name           check:invoice_name         invoice input customer_name
63b3eb409c 4.4-email          check:invoice_email        invoice input customer_email
c844333dd9 4.4-due            check:invoice_due          invoice input due_date
9d14e3d1c3 4.4-items          check:invoice_items        invoice input items
844715e039 4.4-notes          check:invoice_notes        invoice input notes
97e1655e94 4.5-list           check:subscription_list    GET /subscriptions/
749ffa5740 4.5-create         check:subscription_created POST /subscriptions/
11a283a97e 4.5-read           check:subscription_read    GET /subscriptions/{pk}/
3ab5e0c161 4.5-action         check:subscription_actions POST /subscriptions/{pk}/{action_name}/
c957b3281e 4.5-name           check:subscription_name    subscription input name
52cbfcdedc 4.5-amount         check:subscription_amount  subscription input amount
5ddc00bdd8 4.5-type           check:subscription_type    subscription input payment_type
8e5b02481f 4.5-token          check:subscription_token   subscription input token
17449f1ae3 4.5-interval       check:subscription_interval subscription input interval
aefe40c14c 4.5-unit           check:subscription_unit    subscription input interval_unit
96d1557725 4.5-max            check:subscription_max     subscription input max_interval
cca7536fb7 4.6-pages          gap:api-rules.md#lists            how lists are paged
afc9b85a25 4.6-lists          gap:api-rules.md#lists            how invoice and subscription lists look
b7468ce134 4.6-actions        gap:api-rules.md#replies          what cancel, expire and capture answer
870f676180 4.6-writes         gap:api-rules.md#replies          what creating, voiding and acting answer
d1e5e1e525 4.6-bounds         gap:api-rules.md#charge-input     which fields are required, and their bounds
52d3265ea1 4.8-core           check:client_operations    core payment operations of the client
bb86f6efaa 4.8-card           check:client_operations    card operations of the client
e1eae90e38 4.8-wallet         check:client_operations    wallet operations of the client
0bbe790a83 4.8-subscription   check:client_operations    subscription operations of the client
d842f46f21 4.8-invoice        check:client_operations    invoice operations of the client
a8d18fe817 4.8-signature      check:client_signature     verify_signature of the client
d083976009 5-callers          check:callers_only         everything but the webhook needs a caller
94f9804feb 5-webhook          check:webhook_open         the webhook is protected by its signature
c175d845ac 5-staff            check:visibility           owners see their own, staff see all
d93583b10d 5-signature        check:client_signature     what the signature check takes
0bfbd08767 5-scheme           gap:ADR-0020                      how callers authenticate
ccfb5155fb 5-algorithm        gap:gateway-protocol.md#signature how a signature is computed
5b48411b5c 5-owners           gap:ADR-0020                      who owns invoices and subscriptions
b643a9bbfd 5-settings         gap:configuration.md              what the settings are called
c03e4c77a6 6.2-payment        check:signals_named        payment signals
256dd58f24 6.2-invoice        check:signals_named        invoice signals
664de3807a 6.2-subscription   check:signals_named        subscription signals
393909f6fb 7-charge           check:charge_400           a charge that is invalid or refused answers 400
c29ae7fc55 7-cancel           check:cancel_rule          cancelling after the end answers 400
f92f7b9877 7-expire           check:expire_rule          expiring a payment that is not pending answers 400
a94430eaa6 7-capture          gap:api-rules.md#actions          capturing a payment that is not a card
892bf6801f 9-release          check:release              the release number
b30cfaecda 9-paths            check:any_prefix           no version in paths, any prefix
c4f7f9bd3d 9-policy           gap:ADR-0023                      how versions are kept compatible`

const HOWS = ['check', 'gap'] as const

export const LINES: readonly Line[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [, hash = '', id = '', word, by = '', says = ''] =
      /^(\S+) (\S+) +(\w+):(\S+) +(.+)$/.exec(row) ?? []
    const how = HOWS.find((one) => one === word)
    if (how === undefined) throw new Error(`this row cannot be read: ${row}`)
    return { hash, id, how, by, says }
  })
