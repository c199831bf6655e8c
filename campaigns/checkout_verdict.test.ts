// Shows that each part of the verdict on checkouts can fail: on records with one planted fault.
import { expect, test } from 'vitest'
import { judgeCheckouts, type CheckoutRecords } from './bench/checkout_verdict.ts'

const transaction = { transaction_id: 't-1', transaction_status: 'settlement', captured: 1_000 }
const page = {
  token: 'p-1',
  order_id: 'o-1',
  status: 'completed',
  transactions: [transaction],
} as const
const checkout = {
  id: 'c-1',
  order_id: 'o-1',
  status: 'completed',
  payment_id: 'm-1',
  paid: 1,
  alarmed: 0,
}
const attempt = { checkout_id: 'c-1', order_id: 'o-1', ...transaction }

const honest: CheckoutRecords = {
  pages: [{ ...page, transactions: [...page.transactions] }],
  checkouts: [checkout],
  attempts: [attempt],
  shown: new Map([['o-1', new Set(['p-1'])]]),
  acknowledged: new Set(['c-1']),
  open: 0,
}

test('records that agree break no promise', () => {
  expect(judgeCheckouts(honest)).toEqual([])
})

const second = { ...transaction, transaction_id: 't-2' }
const FAULTS: [string, Partial<CheckoutRecords>][] = [
  ['two pages that anyone was shown', { shown: new Map([['o-1', new Set(['p-1', 'p-2'])]]) }],
  ['two live checkouts', { checkouts: [checkout, { ...checkout, id: 'c-2' }] }],
  ['recorded as never made', { checkouts: [{ ...checkout, status: 'failure' }] }],
  ['without a definite state', { checkouts: [{ ...checkout, status: 'initiated' }] }],
  ['still open', { open: 1 }],
  ['our database does not know', { attempts: [] }],
  ['the gateway does not have', { attempts: [attempt, { ...attempt, transaction_id: 't-9' }] }],
  ['other than the gateway has', { attempts: [{ ...attempt, transaction_status: 'pending' }] }],
  ['other than the gateway has', { attempts: [{ ...attempt, captured: 999 }] }],
  ['is not completed', { checkouts: [{ ...checkout, status: 'expired' }] }],
  [
    'completed without money',
    { pages: [{ ...page, transactions: [{ ...transaction, captured: 0 }] }] },
  ],
  [
    'paid twice without an alarm',
    {
      pages: [{ ...page, transactions: [transaction, second] }],
      attempts: [attempt, { ...attempt, transaction_id: 't-2' }],
    },
  ],
]

test.each(FAULTS)('the verdict names: %s', (words, planted) => {
  expect(judgeCheckouts({ ...honest, ...planted }).join('\n')).toContain(words)
})
