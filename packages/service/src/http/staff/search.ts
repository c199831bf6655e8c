// Finding what a customer asks about: payments by anything that can be read out, and everything of one
// customer.
import { SEARCH_KINDS } from '../../domain/search_term.ts'
import { CUSTOMER_QUERY, readCustomer } from '../../services/staff/read_customer.ts'
import { SEARCH_QUERY, searchPayments } from '../../services/staff/search_payments.ts'
import { CHECKOUT_SUMMARY } from '../checkouts.ts'
import { INVOICE_SUMMARY } from '../invoices.ts'
import { route } from '../platform/route.ts'
import { count, listOf, named, oneOf, text, time, yesOrNo } from '../platform/schema.ts'
import { SUBSCRIPTION_SUMMARY } from '../subscriptions.ts'
import { STAFF_PAYMENT_SUMMARY } from './payment_schemas.ts'

const SEARCH_MATCH = named('SearchMatch', {
  kind: oneOf(SEARCH_KINDS, 'Which property of a payment the term was read as.'),
  value: text('The term as that property writes it.'),
  results: listOf(STAFF_PAYMENT_SUMMARY, 'The first payments that match.'),
  equal: count('How many of them, the first ones, are equal to the term; others begin with it.'),
  more: yesOrNo('Whether more payments match than are shown.'),
})

export const SEARCHED = named('Searched', {
  matches: listOf(SEARCH_MATCH, 'One entry for each reading of the term that found payments.'),
  fresh_at: time('Everything that changed up to then is found.'),
  parts: yesOrNo('Whether a part of an order id or a name is found, and not only its beginning.'),
})

const CUSTOMER = named('Customer', {
  payments: listOf(STAFF_PAYMENT_SUMMARY, 'The payments, newest first.'),
  invoices: listOf(INVOICE_SUMMARY, 'The invoices, newest first.'),
  subscriptions: listOf(SUBSCRIPTION_SUMMARY, 'The subscriptions, newest first.'),
  checkouts: listOf(CHECKOUT_SUMMARY, 'The checkouts, newest first.'),
  more: yesOrNo('Whether there are more of a kind than the 100 newest, which are shown.'),
  fresh_at: time('Everything that changed up to then is included.'),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

export const search = {
  searchPayments: route({
    ...reading,
    path: '/staff/search/',
    operation: 'search_payments',
    summary: 'Search payments by a value that a customer can provide',
    query: SEARCH_QUERY,
    reply: SEARCHED,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await searchPayments(ctx, request.caller, query),
  }),

  getCustomer: route({
    ...reading,
    path: '/staff/customer/',
    operation: 'get_staff_customer',
    summary: 'Read all payments, invoices, subscriptions and checkouts of one customer',
    query: CUSTOMER_QUERY,
    reply: CUSTOMER,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await readCustomer(ctx, request.caller, query),
  }),
}
