// The routes of checkouts (checkouts.md).
import { CHECKOUT_STATUSES } from '../domain/checkout.ts'
import { PAYMENT_TYPES } from '../domain/payment_type.ts'
import { cancelCheckout, createCheckout } from '../services/checkouts/actions.ts'
import { CHECKOUT_INPUT } from '../services/checkouts/checkout_order.ts'
import {
  CHECKOUT_QUERY,
  listCheckouts,
  parseCheckoutQuery,
  readCheckout,
} from '../services/checkouts/read_checkouts.ts'
import { listRoute, NEWEST_FIRST, type ListPage } from './platform/list.ts'
import { CHANGING, route } from './platform/route.ts'
import {
  anyObject,
  count,
  listOf,
  money,
  named,
  oneOf,
  orNull,
  pageOf,
  text,
  textOrNull,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  yesOrNo,
} from './platform/schema.ts'

const summary = {
  id: uuid('The id of the checkout.'),
  order_id: text('The order id, under which the gateway knows the payments of the checkout.'),
  status: oneOf(
    CHECKOUT_STATUSES,
    '`initiated` (not answered clearly yet), `failure` (there is no page), `open`, `completed` (paid), `expired` or `cancelled`.',
  ),
  amount: money('The amount to pay, in rupiah with two decimals.'),
  description: textOrNull('What it is for.'),
  customer_email: textOrNull('The email address of the customer.'),
  payment_id: uuidOrNull('The payment that counts; null until one is paid.'),
  expires_at: timeOrNull('When the page ends; null until the gateway has answered.'),
  created_at: timeOrNull('When the checkout was created here.'),
}

export const CHECKOUT_SUMMARY = named('CheckoutSummary', summary)
export const CHECKOUT_PAGE = pageOf('CheckoutPage', CHECKOUT_SUMMARY)

const CHECKOUT_ITEM = named('CheckoutItem', {
  item_id: textOrNull('Your own id of the item.'),
  name: text('The name of the item.'),
  price: money('The price of one, in rupiah with two decimals.'),
  quantity: count('How many were ordered.'),
})

const without_page = {
  id: summary.id,
  order_id: summary.order_id,
  status: summary.status,
  amount: summary.amount,
  currency: text('The currency; always `IDR`.'),
  description: summary.description,
  payment_types: orNull(
    listOf(oneOf(PAYMENT_TYPES, 'A payment method.'), 'Payment methods.'),
    'The methods the payer can choose from; null: all.',
  ),
  return_url: textOrNull('Where the payer returns to from the page.'),
  page_expiry_minutes: count('How long the payer can choose a method on the page.'),
  payment_expiry_minutes: orNull(
    count('Minutes.'),
    "How long the payer can pay by the chosen method; null: the method's own time.",
  ),
  expires_at: summary.expires_at,
  completed_at: timeOrNull('When the first payment was paid.'),
  payment_id: summary.payment_id,
  payment_ids: listOf(
    uuid('The id of a payment.'),
    'The payments made on the page, oldest first: one for each method the payer chose.',
  ),
  page_closed: orNull(
    yesOrNo('Whether the page is closed.'),
    'After a cancellation: whether the gateway closed the page. If false, the payer may still pay until `expires_at`; such money opens an alarm.',
  ),
  customer_first_name: textOrNull('The first name of the customer.'),
  customer_last_name: textOrNull('The last name of the customer.'),
  customer_email: summary.customer_email,
  customer_phone: textOrNull('The phone number of the customer.'),
  items: listOf(CHECKOUT_ITEM, 'What is ordered.'),
  metadata: anyObject('Your own data, stored as it was given.'),
  created_at: summary.created_at,
  updated_at: timeOrNull('When the checkout last changed here.'),
}

/** As staff get it with an operation: without the page. */
export const CHECKOUT_RECORD = named('CheckoutRecord', without_page)

export const CHECKOUT = named('Checkout', {
  ...without_page,
  token: textOrNull(
    "The page's token for the gateway's popup script; null once the page has ended.",
  ),
  redirect_url: textOrNull("The page's address for the payer; null once the page has ended."),
})

const example = {
  amount: 44_000,
  order_id: 'order-1001',
  item_details: [
    { name: 'Jasmine tea', price: 20_000, quantity: 2 },
    { name: 'Delivery', price: 4_000, quantity: 1 },
  ],
  customer_details: { first_name: 'Ani', email: 'ani@example.com' },
  return_url: 'https://shop.example/thanks',
}

export type CheckoutListPage = ListPage<
  Awaited<ReturnType<typeof listCheckouts>>['results'][number]
>

export const checkouts = {
  listCheckouts: listRoute(
    {
      path: '/checkouts/',
      operation: 'list_checkouts',
      summary: 'List checkouts, newest first; staff see those of every owner',
      scope: null,
      query: CHECKOUT_QUERY,
      reply: CHECKOUT_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseCheckoutQuery, find: listCheckouts },
  ),

  createCheckout: route({
    method: 'POST',
    path: '/checkouts/',
    operation: 'create_checkout',
    summary: 'Open a page of the gateway where the payer chooses how to pay',
    // Who may charge may let the payer choose how: the effect is a payment.
    scope: 'payments:write',
    input: titled('CheckoutInput', CHECKOUT_INPUT),
    status: 201,
    reply: CHECKOUT,
    errors: [...CHANGING, 'duplicate_order', 'order_ended', 'gateway_duplicate'],
    example: {
      page: { summary: 'All payment methods', value: example },
      hour: {
        summary: 'Without an order id of your own, for an hour',
        value: { amount: 44_000, page_expiry_minutes: 60 },
      },
    },
    run: async (ctx, { input, request }) => await createCheckout(ctx, input, request),
  }),

  getCheckout: route({
    method: 'GET',
    path: '/checkouts/{pk}/',
    operation: 'get_checkout',
    summary: 'Read a checkout',
    scope: null,
    reply: CHECKOUT,
    run: async (ctx, { request, id }) => await readCheckout(ctx, request.caller, id),
  }),

  cancelCheckout: route({
    method: 'POST',
    path: '/checkouts/{pk}/cancel/',
    operation: 'cancel_checkout',
    summary: 'Cancel an open checkout and what the payer chose on it',
    scope: 'payments:write',
    reply: CHECKOUT,
    errors: [...CHANGING, 'checkout_not_open'],
    run: async (ctx, { request, id }) => await cancelCheckout(ctx, request, id),
  }),
}
