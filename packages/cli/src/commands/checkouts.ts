// Checkouts: pages of the gateway where the payer chooses how to pay. Their address is a payment link.
import type { GapuraApi } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { rupiah, timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { checkoutRows } from '../object_rows.ts'
import { record } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Checkout = Awaited<ReturnType<GapuraApi['getCheckout']>>
type Listed = Awaited<ReturnType<GapuraApi['listCheckouts']>>['results'][number]

const CHECKOUT_ARGUMENT = {
  name: 'checkout',
  summary: 'its id, as checkouts list shows it',
} as const

const checkoutText = (checkout: Checkout): string =>
  record([
    ...checkoutRows(checkout),
    ['description', checkout.description],
    ['link', checkout.redirect_url],
    ['ends', checkout.expires_at && timeOf(checkout.expires_at)],
    ['paid', checkout.completed_at && timeOf(checkout.completed_at)],
    ['payments', checkout.payment_ids.join(' ') || null],
  ])

const COLUMNS = [
  { title: 'ID', of: ({ id }: Listed) => id },
  { title: 'ORDER', of: ({ order_id }: Listed) => order_id },
  { title: 'STATUS', of: ({ status }: Listed) => status },
  { title: 'AMOUNT', of: ({ amount }: Listed) => rupiah(amount) },
  { title: 'DESCRIPTION', of: ({ description }: Listed) => description ?? '' },
  { title: 'ENDS', of: ({ expires_at }: Listed) => timeOf(expires_at) },
]

const list: Command = {
  name: 'checkouts list',
  summary: 'List checkouts of every owner, newest first.',
  flags: {
    status: {
      value: 'status',
      summary: 'open, completed, expired, cancelled, initiated or failure',
    },
    'order-id': { value: 'id', summary: 'only of this order' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura checkouts list --status open'],
  run: async (call) => {
    const query = queryOf(call, { status: 'status', 'order-id': 'order_id' })
    const page = await withGapura(call, async ({ api }) => await api.listCheckouts(LOOKING, query))
    printPage(call, page, COLUMNS, 'No checkouts.')
  },
}

function amountOf(call: Call): string {
  const amount = call.argument('amount')
  if (/^\d+$/.test(amount)) return amount
  throw new UsageError('<amount> must be whole rupiah, such as 44000')
}

const create: Command = {
  name: 'checkouts create',
  summary: 'Create a payment link: a page where the payer chooses how to pay.',
  details:
    'Prints the address of the page, to be sent to the payer. With --order-id a repeat while the page is open prints the same address.',
  arguments: [{ name: 'amount', summary: 'whole rupiah' }],
  flags: {
    owner: { value: 'owner', summary: 'whose checkout it is', required: true },
    description: { value: 'text', summary: 'what it is for; the payer does not see it' },
    'order-id': { value: 'id', summary: 'your own order id (default: one is made)' },
    minutes: { value: 'n', summary: 'how long the page is open, 5 to 10080 (default a day)' },
    as: AS_FLAG,
  },
  examples: ['gapura checkouts create 150000 --owner shop --description "Order by phone"'],
  run: async (call) => {
    const [description, order_id] = [call.text('description'), call.text('order-id')]
    const page_expiry_minutes = call.integer('minutes', { min: 5, max: 10_080 })
    const input = {
      owner_id: call.required('owner'),
      amount: amountOf(call),
      ...(description !== undefined && { description }),
      ...(order_id !== undefined && { order_id }),
      ...(page_expiry_minutes !== undefined && { page_expiry_minutes }),
    }
    const made = await withGapura(
      call,
      async ({ staff }) => await staff.createCheckout(staffOf(call), input),
    )
    call.output.result(made, () => made.redirect_url ?? '')
    if (!call.output.json) call.output.note(checkoutText(made))
  },
}

const show: Command = {
  name: 'checkouts show',
  summary: 'Show a checkout, its link and its payments.',
  arguments: [CHECKOUT_ARGUMENT],
  flags: {},
  examples: ['gapura checkouts show <id>'],
  run: async (call) => {
    const id = call.argument('checkout')
    const found = await withGapura(call, async ({ api }) => await api.getCheckout(LOOKING, id))
    call.output.result(found, () => checkoutText(found))
  },
}

const cancel: Command = {
  name: 'checkouts cancel',
  summary: 'Cancel an open checkout, so that its link can no longer be paid.',
  details:
    'If the gateway does not close the page, the output says so: the payer may still pay until it ends, and such money opens an alarm.',
  arguments: [CHECKOUT_ARGUMENT],
  flags: {
    reason: { value: 'text', summary: 'why, for the audit', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura checkouts cancel <id> --reason "ordered twice"'],
  run: async (call) => {
    const id = call.argument('checkout')
    const ended = await withGapura(
      call,
      async ({ staff }) =>
        await staff.cancelCheckout(staffOf(call), id, { reason: call.required('reason') }),
    )
    call.output.result(ended, () => checkoutText(ended))
    if (!call.output.json && ended.page_closed === false) {
      call.output.note('The gateway did not close the page: it can be paid until it ends.')
    }
  },
}

export const CHECKOUT_COMMANDS: readonly Command[] = [list, create, show, cancel]
