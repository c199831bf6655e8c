// One way to break each promise about checkouts, done to an otherwise correct database.
import type { Damage } from './damage.ts'

const FIRST = '01a00000-0000-7000-8000-000000000001'
const SECOND = '01a00000-0000-7000-8000-000000000002'

const PAID = `(
  select id from gapura.gateway_payment where transaction_status = 'settlement' order by id limit 1)`
const OTHER = `(
  select id from gapura.gateway_payment where transaction_status = 'settlement' order by id limit 1 offset 1)`

const of = (column: string, payment: string): string =>
  `(select ${column} from gapura.gateway_payment where id = ${payment})`

const page = (id: string, status: string, more = 'payment_id = null'): string => `
  insert into gapura.gateway_checkout
    (id, owner_id, order_id, amount, page_expiry_minutes, fingerprint, status)
  values ('${id}', ${of('owner_id', PAID)}, ${of('order_id', PAID)}, 1000, 60, 'f', 'initiated');
  update gapura.gateway_checkout set status = '${status}', ${more} where id = '${id}'`

const link = (payment: string, more = ''): string => `
  update gapura.gateway_payment set checkout_id = '${FIRST}'${more} where id = ${payment}`

const completed = page(FIRST, 'completed', `payment_id = ${PAID}`)

export const CHECKOUT_DAMAGES: readonly Damage[] = [
  {
    breaks: 'I-40',
    by: 'two pages of one order',
    sql: `drop index gapura.gateway_checkout_order_id;
      ${page(FIRST, 'open', 'next_check_at = gapura.now()')};
      ${page(SECOND, 'open', 'next_check_at = gapura.now()')}`,
  },
  {
    breaks: 'I-40',
    by: 'a direct charge of an order that has a page',
    sql: page(FIRST, 'expired'),
  },
  {
    breaks: 'I-40a',
    by: 'completed without a payment of its own',
    sql: completed,
  },
  {
    breaks: 'I-40a',
    by: 'open although its payment is paid',
    sql: `${page(FIRST, 'open', 'next_check_at = gapura.now()')};${link(PAID)}`,
  },
  {
    breaks: 'I-40b',
    by: 'a second paid payment without an alarm',
    sql: `${completed};${link(PAID)};
      ${link(OTHER, `, order_id = ${of('order_id', PAID)}, refused = true`)}`,
  },
  {
    breaks: 'I-40c',
    by: 'a payment of another order',
    sql: `${completed};${link(PAID)};${link(OTHER)}`,
  },
  {
    breaks: 'I-40c',
    by: 'a payment of another owner',
    sql: `${completed};${link(PAID, ", owner_id = 'stranger'")}`,
  },
  {
    breaks: 'I-40d',
    by: 'an open page without a planned check',
    sql: page(FIRST, 'open'),
  },
  {
    breaks: 'I-40d',
    by: 'an ended page with its address',
    sql: `alter table gapura.gateway_checkout drop constraint gateway_checkout_page_while_open;
      ${page(FIRST, 'expired', "token = 't', redirect_url = 'https://x'")}`,
  },
]
