// What is stored about people, and how it is erased (I-37). Amounts, states, times and ids stay:
// they are accounts. Objects are locked as they are listed, as for every other change; their
// version stays, because nothing that events report has changed.
import type { ObjectKind } from '../../domain/signals.ts'
import type { Tx } from '../connection/transaction.ts'

/** Whose data it is: one customer, by e-mail address, or all customers of an owner. */
export type Person = { email: string } | { owner_id: string }

export interface PersonalObject {
  kind: ObjectKind
  id: string
  /** Something about it is still open and may have to be sent again unchanged. */
  busy: boolean
}

/** Replaces a text that must not be empty. */
const ERASED = 'erased'
/** Replaces a staff note: the only text that its table accepts afterwards. */
const ERASED_NOTE = 'Erased together with the data of the person it was about.'

const ABOUT: Readonly<Record<ObjectKind, { table: string; held: string }>> = {
  payment: {
    table: 'gateway_payment',
    held: `num_nonnulls(customer_first_name, customer_last_name, customer_email, customer_phone,
      custom_field1, custom_field2, custom_field3) > 0 or metadata <> '{}'`,
  },
  invoice: { table: 'gateway_invoice', held: `customer_email <> '${ERASED}'` },
  subscription: {
    table: 'gateway_subscription',
    held: `num_nonnulls(customer_first_name, customer_last_name, customer_email,
      customer_phone) > 0 or metadata <> '{}' or name <> '${ERASED}'`,
  },
  checkout: {
    table: 'gateway_checkout',
    held: `num_nonnulls(customer_first_name, customer_last_name, customer_email, customer_phone,
      description) > 0 or metadata <> '{}' or items <> '[]'`,
  },
}

interface PersonalPage {
  kind: ObjectKind
  after: string
  limit: number
  /** Locks the objects, in the order of their ids, for the erasure in this transaction. */
  lock: boolean
}

/** The next objects that hold data about the person, in the order of their ids. */
export async function listPersonalObjects(
  tx: Tx,
  person: Person,
  { kind, after, limit, lock }: PersonalPage,
): Promise<PersonalObject[]> {
  const { table, held } = ABOUT[kind]
  const by_email = 'email' in person
  const found = await tx.query<{ id: string }>(
    `select id
     from gapura.${table} as object
     where ${by_email ? 'lower(customer_email) = lower($1)' : 'owner_id = $1'}
       and id > $2
       and (${held} or exists (
         select from gapura.staff_note as note
         where note.subject_id = object.id
           and note.text <> '${ERASED_NOTE}'
       ))
     order by id
     limit $3
     ${lock ? 'for no key update of object' : ''}`,
    [by_email ? person.email : person.owner_id, after, limit],
  )
  const busy = await listBusy(tx, found)
  return found.map(({ id }) => ({ kind, id, busy: busy.has(id) }))
}

/** A statement of its own: it sees an operation that began before the objects were locked. */
async function listBusy(tx: Tx, objects: readonly { id: string }[]): Promise<ReadonlySet<string>> {
  const busy = await tx.query<{ subject_id: string }>(
    `select subject_id
     from gapura.gateway_operation
     where subject_id = any($1::uuid[])
       and state in ('started', 'unknown')`,
    [objects.map(({ id }) => id)],
  )
  return new Set(busy.map(({ subject_id }) => subject_id))
}

/** Erases the personal data of these payments, which are locked, and of their copies. */
export async function erasePayments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_payment
     set customer_first_name = null, customer_last_name = null, customer_email = null,
       customer_phone = null, custom_field1 = null, custom_field2 = null, custom_field3 = null,
       metadata = '{}', updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.gateway_payment_item
     set item_id = null, name = '${ERASED}', brand = null, category = null, merchant_name = null,
       url = null
     where payment_id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.gateway_refund set reason = '', evidence = null where payment_id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.refund_request set reason = '', evidence = null where payment_id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.gateway_notification as notification
     set raw_payload = (
       select coalesce(jsonb_object_agg(key, value), '{}')
       from jsonb_each(notification.raw_payload)
       where key = any($2::text[])
     )
     where order_id in (select order_id from gapura.gateway_payment where id = any($1::uuid[]))`,
    [ids, KEPT_OF_REPORTS],
  )
  await eraseCopies(tx, ids)
}

/** Keeps the gateway's fields about money, and nothing that a payer or a merchant wrote. */
const KEPT_OF_REPORTS: readonly string[] = [
  'order_id',
  'transaction_id',
  'transaction_status',
  'status_code',
  'gross_amount',
  'currency',
  'payment_type',
  'fraud_status',
  'transaction_time',
  'settlement_time',
  'expiry_time',
  'merchant_id',
  'refund_amount',
]

export async function eraseInvoices(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_invoice
     set customer_id = null, customer_name = '${ERASED}', customer_email = '${ERASED}',
       customer_phone = null, notes = null, void_reason = null, payment_link_url = null,
       pdf_url = null, metadata = '{}', updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.gateway_invoice_item
     set item_id = null, description = '${ERASED}'
     where invoice_id = any($1::uuid[])`,
    [ids],
  )
  await eraseCopies(tx, ids)
}

export async function eraseSubscriptions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_subscription
     set customer_first_name = null, customer_last_name = null, customer_email = null,
       customer_phone = null, name = '${ERASED}', metadata = '{}', updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
  await eraseCopies(tx, ids)
}

/** The same for checkouts. The page stays while it is open: the payer may still pay. */
export async function eraseCheckouts(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_checkout
     set customer_first_name = null, customer_last_name = null, customer_email = null,
       customer_phone = null, description = null, items = '[]', metadata = '{}',
       updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
  await eraseCopies(tx, ids)
}

/** The fields of the object's copies in events and stored replies, and their replacements. */
const IN_COPIES: Readonly<Record<string, unknown>> = {
  customer_id: null,
  customer_first_name: null,
  customer_last_name: null,
  customer_phone: null,
  custom_field1: null,
  custom_field2: null,
  custom_field3: null,
  notes: null,
  void_reason: null,
  payment_link_url: null,
  pdf_url: null,
  description: null,
  metadata: {},
  items: [],
}

/** Events, what was sent to the gateway, stored replies, and what staff wrote. */
async function eraseCopies(tx: Tx, ids: readonly string[]): Promise<void> {
  const blank = JSON.stringify(IN_COPIES)
  await tx.query(
    `update gapura.staff_note set text = '${ERASED_NOTE}' where subject_id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.gateway_event set object = ${blanked('object')}
     where object_id = any($1::uuid[])`,
    [ids, blank, ERASED],
  )
  await tx.query(
    `update gapura.gateway_operation
     set request = jsonb_strip_nulls(jsonb_build_object('amount', request -> 'amount'))
     where subject_id = any($1::uuid[])`,
    [ids],
  )
  await tx.query(
    `update gapura.operation_reply as reply set body = ${blanked('body::jsonb')}::text
     from gapura.gateway_operation as operation
     where operation.subject_id = any($1::uuid[])
       and reply.operation_id = operation.id
       and reply.code < 300`,
    [ids, blank, ERASED],
  )
  // What an earlier release stored, until it is a day old.
  await tx.query(
    `update gapura.idempotency_key as key set reply_body = ${blanked('reply_body::jsonb')}::text
     from gapura.gateway_operation as operation
     where operation.subject_id = any($1::uuid[])
       and key.owner_id = operation.owner_id
       and key.operation_id = operation.id
       and key.reply_code < 300`,
    [ids, blank, ERASED],
  )
}

/**
 * Only existing fields are replaced: a copy keeps its shape. The reply to a refund contains the
 * payment.
 */
const blanked = (object: string, at = 'member'): string => `(
       select jsonb_object_agg(
         ${at}.key,
         case
           when $2::jsonb ? ${at}.key then $2::jsonb -> ${at}.key
           when ${at}.key in ('customer_email', 'customer_name')
             and ${at}.value <> 'null' then to_jsonb($3::text)
           when ${at}.key = 'name' then to_jsonb($3::text)
           when ${at}.key = 'refund' then ${at}.value || jsonb_build_object('reason', '')
           -- The amounts stay; the reason may name the person.
           when ${at}.key = 'refunds' then (
             select coalesce(jsonb_agg(refund || jsonb_build_object('reason', '')), '[]')
             from jsonb_array_elements(${at}.value) as refund
           )
           ${at === 'member' ? `when member.key = 'payment' then ${blanked('member.value', 'inner_member')}` : ''}
           else ${at}.value
         end
       )
       from jsonb_each(${object}) as ${at}
     )`
