// Shows that each rule of the verdict over intents can fail: plants one fault into records that
// agree.
import { describe, expect, test } from 'vitest'
import type { GatewayEffects, GatewayTransaction } from './bench/gateway_effects.ts'
import { judgeIntents } from './bench/intent_verdict.ts'
import { outcomeOf, type Intent, type IntentKind, type RecordedAnswer } from './bench/intents.ts'

const caller = { owner_id: 'owner', api_key: 'key' }

const answer = (status: number | null, more: Partial<RecordedAnswer> = {}): RecordedAnswer => ({
  meanwhile: 0,
  status,
  code: null,
  object_id: null,
  order_id: null,
  refund_id: null,
  ...more,
})

const intent = (id: string, kind: IntentKind, more: Partial<Intent> = {}): Intent => ({
  id,
  kind,
  caller,
  key: `key of ${id}`,
  path: '/',
  body: undefined,
  target: null,
  amount: null,
  chosen_order_id: null,
  held_in: null,
  approval_path: null,
  answers: [answer(200)],
  ...more,
})

const transaction = (more: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
  transaction_id: 't-1',
  order_id: 'o-1',
  origin: 'charge',
  charged_amount: 150_000,
  captured: 150_000,
  custom: { metadata: { intent_id: 'charge-1' } },
  refunds: [{ refund_key: 'k-1', amount: 20_000, reason: 'refund-1' }],
  history: [
    { status: 'pending', cause: 'charge' },
    { status: 'settlement', cause: 'paid' },
    { status: 'partial_refund', cause: 'refund' },
  ],
  ...more,
})

const card = (more: Partial<GatewayTransaction> = {}): GatewayTransaction =>
  transaction({
    transaction_id: 't-2',
    order_id: 'o-2',
    captured: 90_000,
    custom: { metadata: { intent_id: 'charge-2' } },
    refunds: [],
    history: [
      { status: 'authorize', cause: 'charge' },
      { status: 'capture', cause: 'capture' },
    ],
    ...more,
  })

const effects = (more: Partial<GatewayEffects> = {}): GatewayEffects => ({
  transactions: [transaction(), card()],
  invoices: [{ id: 'inv', order_id: 'i-1', notes: 'invoice-1' }],
  subscriptions: [
    { id: 's-1', metadata: { intent_id: 'subscription-1' }, changes: [{ change: 'disable' }] },
  ],
  refused_charges: new Set(['o-7']),
  ...more,
})

const intents = (): Intent[] => [
  intent('charge-1', 'charge', { amount: 150_000, answers: [answer(201, { order_id: 'o-1' })] }),
  intent('charge-2', 'charge', { amount: 150_000, answers: [answer(null), answer(201)] }),
  intent('refund-1', 'refund', { target: 'o-1', amount: 20_000 }),
  intent('capture-1', 'capture', { target: 'o-2', amount: 90_000 }),
  intent('invoice-1', 'invoice', { answers: [answer(201)] }),
  intent('subscription-1', 'subscription', { answers: [answer(201)] }),
  intent('disable-1', 'disable_subscription', { target: 's-1' }),
  intent('refused-1', 'charge', { answers: [answer(400, { code: 'no' })] }),
  intent('queued-1', 'queued_charge', { answers: [answer(202, { order_id: 'o-7' })] }),
  intent('lost-1', 'refund', { target: 'o-1', answers: [answer(null), answer(409)] }),
]

const refund = { refund_key: 'k-1', amount: 20_000, reason: 'refund-1' }
const with_refunds = (...refunds: (typeof refund)[]): Partial<GatewayEffects> => ({
  transactions: [transaction({ refunds }), card()],
})
const with_intents = (...more: Intent[]): Intent[] => [...intents(), ...more]
const cancel = (more: Partial<Intent> = {}): Intent =>
  intent('cancel-1', 'cancel', { target: 'o-3', ...more })
const cancelled = (...causes: string[]): GatewayTransaction =>
  transaction({
    order_id: 'o-3',
    custom: { metadata: { intent_id: 'charge-3' } },
    refunds: [],
    history: causes.map((cause) => ({ status: 'cancel', cause })),
  })
const charge_3 = intent('charge-3', 'charge')

const HELD = { refund_key: 'k-3', amount: 65_000, reason: '' }
const HELD_INTENT = intent('held-3', 'approved_refund', { target: 'o-1', amount: HELD.amount })
/** Two refunds that wait in one request, which the second one's story approves. */
const sharing = (...approval: RecordedAnswer[]): Intent[] =>
  ['held-1', 'held-2'].map((id) => ({
    ...HELD_INTENT,
    id,
    held_in: 'request',
    answers: [answer(400, { code: 'refund_held' }), ...(id === 'held-2' ? approval : [])],
  }))

const PLANTED: { what: string; made?: Partial<GatewayEffects>; asked?: Intent[]; says: string }[] =
  [
    {
      what: 'a refund made twice under one intent',
      made: with_refunds(refund, { ...refund, refund_key: 'k-2' }),
      says: 'refund intents that had more than one effect at the gateway: 1, such as o-1 (intent refund-1): 2',
    },
    {
      what: 'two minted orders charged for one key',
      made: {
        transactions: [transaction(), card(), transaction({ order_id: 'o-9', refunds: [] })],
      },
      says: 'charge intents that had more than one effect at the gateway: 1, such as o-1 and o-9 (intent charge-1): 2',
    },
    {
      what: 'a request of two refunds paid for each of them',
      made: with_refunds(refund, { ...HELD, reason: 'held-1' }, { ...HELD, reason: 'held-2' }),
      asked: with_intents(...sharing(answer(200))),
      says: 'approved_refund intents that had more than one effect at the gateway: 2, such as o-1 (intent held-1): 2, o-1 (intent held-2): 2',
    },
    {
      what: 'a request of two refunds paid and not approved',
      made: with_refunds(refund, { ...HELD, reason: 'held-1' }),
      asked: with_intents(...sharing()),
      says: 'approved_refund intents that were refused and carried out by the gateway: 2, such as o-1 (intent held-1), o-1 (intent held-2)',
    },
    {
      what: 'an approved request paid twice',
      made: with_refunds(
        refund,
        { ...refund, reason: 'held-1' },
        { ...refund, reason: 'held-1', refund_key: 'k-3' },
      ),
      asked: with_intents(
        intent('held-1', 'approved_refund', {
          answers: [answer(400, { code: 'refund_held' }), answer(200)],
        }),
      ),
      says: 'approved_refund intents that had more than one effect at the gateway: 1, such as o-1 (intent held-1): 2',
    },
    {
      what: 'a held refund that was made without an approval',
      made: with_refunds(refund, { ...refund, reason: 'held-1' }),
      asked: with_intents(
        intent('held-1', 'approved_refund', { answers: [answer(400, { code: 'refund_held' })] }),
      ),
      says: 'approved_refund intents that were refused and carried out by the gateway: 1, such as o-1 (intent held-1)',
    },
    {
      what: 'a capture made twice',
      made: {
        transactions: [
          transaction(),
          card({ history: [...card().history, { status: 'capture', cause: 'capture' }] }),
        ],
      },
      says: 'capture intents that had more than one effect at the gateway: 1, such as o-2 (intent capture-1): 2',
    },
    {
      what: 'a capture of another amount',
      made: { transactions: [transaction(), card({ captured: 150_000 })] },
      says: 'capture intents that had an effect of another amount: 1, such as o-2 (intent capture-1): 150000, not 90000',
    },
    {
      what: 'a success without an effect',
      made: with_refunds(),
      says: 'refund intents that were acknowledged without an effect at the gateway: 1, such as o-1 (intent refund-1)',
    },
    {
      what: 'a queued charge that was neither made nor refused',
      made: { refused_charges: new Set() },
      says: 'queued_charge intents that were acknowledged without an effect at the gateway: 1, such as no order (intent queued-1)',
    },
    {
      what: 'an effect after a definite refusal',
      made: {
        transactions: [
          transaction(),
          card(),
          transaction({ order_id: 'o-8', custom: { metadata: { intent_id: 'refused-1' } } }),
        ].map((one) => (one.order_id === 'o-8' ? { ...one, refunds: [] } : one)),
      },
      says: 'charge intents that were refused and carried out by the gateway: 1, such as o-8 (intent refused-1)',
    },
    {
      what: 'two effects of an intent whose answer never came',
      made: with_refunds(refund, { ...refund, reason: 'lost-1' }, { ...refund, reason: 'lost-1' }),
      says: 'refund intents that had more than one effect at the gateway: 1, such as o-1 (intent lost-1): 2',
    },
    {
      what: 'an acknowledged cancel of a payment that was never cancelled',
      made: {
        transactions: [
          transaction(),
          card(),
          { ...cancelled('x'), history: [{ status: 'pending', cause: 'charge' }] },
        ],
      },
      asked: with_intents(charge_3, cancel()),
      says: 'cancel intents that were acknowledged without an effect at the gateway: 1, such as o-3 (intent cancel-1)',
    },
    {
      what: 'two invoices for one intent',
      made: { invoices: [...effects().invoices, { id: 'b', order_id: 'i-2', notes: 'invoice-1' }] },
      says: 'invoice intents that had more than one effect at the gateway: 1, such as i-1 and i-2 (intent invoice-1): 2',
    },
    {
      what: 'two subscriptions for one intent',
      made: {
        subscriptions: [
          ...effects().subscriptions,
          { id: 's-2', metadata: { intent_id: 'subscription-1' }, changes: [] },
        ],
      },
      says: 'subscription intents that had more than one effect at the gateway: 1, such as s-1 and s-2 (intent subscription-1): 2',
    },
    {
      what: 'an acknowledged change of a subscription that was not made',
      made: { subscriptions: effects().subscriptions.map((one) => ({ ...one, changes: [] })) },
      says: 'disable_subscription intents that were acknowledged without an effect at the gateway: 1, such as s-1 (intent disable-1)',
    },
    {
      what: 'an answer that names another order',
      asked: intents().map((one) =>
        one.id === 'charge-2' ? { ...one, answers: [answer(201, { order_id: 'o-1' })] } : one,
      ),
      says: 'charge intents that were answered with another order than the effect has: 1, such as o-2 (intent charge-2)',
    },
    {
      what: 'a refund without an intent',
      made: with_refunds(refund, { ...refund, reason: 'somebody' }),
      says: 'effects at the gateway that no intent asked for: 1, such as o-1',
    },
  ]

describe('the verdict over intents', () => {
  test('reports nothing when each intent has the effect its answers name', () => {
    expect(judgeIntents(intents(), effects())).toEqual([])
  })

  test('reports nothing for an unanswered intent with one effect or none', () => {
    const made = effects(with_refunds(refund, { ...refund, reason: 'lost-1' }))
    expect(judgeIntents(intents(), made)).toEqual([])
  })

  test('reports nothing for two refunds in one request that was paid once', () => {
    const made = effects(with_refunds(refund, { ...HELD, reason: 'held-1' }))
    expect(judgeIntents(with_intents(...sharing(answer(409))), made)).toEqual([])
    const approved = answer(200, { refund_id: 'r-1' })
    expect(judgeIntents(with_intents(...sharing(approved)), made)).toEqual([])
    // Its caller heard of it only once it was made.
    const third = { ...HELD_INTENT, answers: [answer(503), approved] }
    expect(judgeIntents(with_intents(...sharing(approved), third), made)).toEqual([])
  })

  test('reports nothing for refunds and cancels made on the gateway dashboard', () => {
    const refunds = [refund, { ...refund, refund_key: 'dashboard-1', reason: 'x' }]
    const by_staff = cancelled('cancelled on the dashboard')
    const transactions = [transaction({ refunds }), card(), by_staff]
    expect(judgeIntents(with_intents(charge_3, cancel()), effects({ transactions }))).toEqual([])
  })

  test('reports nothing when a refused intent was repeated and then made once', () => {
    const made = effects(with_refunds(refund, { ...refund, reason: 'again-1' }))
    const again = intent('again-1', 'refund', { answers: [answer(400), answer(200)] })
    expect(judgeIntents(with_intents(again), made)).toEqual([])
  })

  test.each(PLANTED)('reports $what', ({ made = {}, asked = intents(), says }) => {
    expect(judgeIntents(asked, effects(made))).toEqual([says])
  })

  test.each([
    { answers: [answer(null), answer(201)], outcome: 'done' },
    { answers: [answer(201), answer(400)], outcome: 'done' },
    { answers: [answer(503), answer(400)], outcome: 'refused' },
    { answers: [answer(400), answer(null)], outcome: 'unclear' },
    { answers: [answer(503), answer(400, { meanwhile: 1 })], outcome: 'unclear' },
    { answers: [answer(503), answer(400), answer(400, { meanwhile: 1 })], outcome: 'refused' },
    { answers: [answer(409)], outcome: 'unclear' },
    { answers: [], outcome: 'unclear' },
  ])('concludes $outcome from the answers', ({ answers, outcome }) => {
    expect(outcomeOf({ answers })).toBe(outcome)
  })
})
