import { mayTransition } from '../../../packages/service/src/domain/payment_transitions.ts'
import type {
  PaymentStatus,
  ReportedStatus,
} from '../../../packages/service/src/domain/payment_status.ts'
import { arrow, box, picture, sequence } from './drawing.ts'

const YOU = 0
const US = 1
const RECORD = 2
const GATEWAY = 3

export const chargePicture = (): string =>
  sequence(
    'The steps of a charge: stored, sent, and its answer recorded',
    ['your code', 'Gapura', 'PostgreSQL', 'the gateway'],
    [
      { from: YOU, to: US, text: 'charge, Idempotency-Key' },
      { from: US, to: RECORD, text: 'key, payment, operation' },
      { over: RECORD, lines: ['commit 1', 'initiated: nothing sent yet'] },
      { from: US, to: GATEWAY, text: 'charge, with the operation’s own key' },
      { from: GATEWAY, to: US, text: 'answer, or none', dashed: true },
      { from: US, to: RECORD, text: 'transition, history, event' },
      { over: RECORD, lines: ['commit 2', 'pending, and what to show'] },
      { from: US, to: YOU, text: '201 with the payment', dashed: true },
      {
        over: US,
        lines: [
          'no clear answer, or a crash:',
          'the resolver asks the gateway',
          'before anything is repeated',
        ],
      },
    ],
  )

export const webhookPicture = (): string =>
  sequence(
    'The steps of a webhook: verified, stored, applied, answered, published',
    ['your subscriber', 'Gapura', 'PostgreSQL', 'the gateway'],
    [
      { from: GATEWAY, to: US, text: 'notification, signed' },
      { over: US, lines: ['signature checked', 'wrong: 403 and no row'] },
      { from: US, to: RECORD, text: 'lock, transition table' },
      { over: RECORD, lines: ['one commit', 'inbox, status, history, event'] },
      { from: US, to: GATEWAY, text: '200: it is on disk', dashed: true },
      { from: RECORD, to: US, text: 'event, in order' },
      { from: US, to: YOU, text: 'payment_settled' },
      { over: US, lines: ['at least once: store the id', 'to process it once'] },
    ],
  )

const STATES: Readonly<Partial<Record<PaymentStatus, readonly [number, number]>>> = {
  initiated: [20, 130],
  pending: [180, 130],
  authorize: [340, 60],
  capture: [500, 60],
  settlement: [660, 130],
  partial_refund: [820, 60],
  refund: [820, 130],
  chargeback: [820, 200],
  deny: [180, 250],
  cancel: [340, 250],
  expire: [500, 250],
  failure: [20, 250],
}

/** The ordinary course. The code is asked whether each of these is a move. */
const COURSE: readonly (readonly [PaymentStatus, ReportedStatus])[] = [
  ['initiated', 'pending'],
  ['initiated', 'failure'],
  ['pending', 'authorize'],
  ['pending', 'settlement'],
  ['pending', 'deny'],
  ['pending', 'cancel'],
  ['pending', 'expire'],
  ['authorize', 'capture'],
  ['capture', 'settlement'],
  ['settlement', 'partial_refund'],
  ['settlement', 'refund'],
  ['settlement', 'chargeback'],
  ['partial_refund', 'refund'],
]
const STATE = { width: 124, height: 36 }

export function statesPicture(): string {
  const { width, height } = STATE
  const arrows = COURSE.map(([from, to]) => {
    if (!mayTransition(from, to)) throw new Error(`${from} to ${to} is drawn but is no move`)
    const [x1, y1] = STATES[from] ?? [0, 0]
    const [x2, y2] = STATES[to] ?? [0, 0]
    if (x1 === x2) {
      return arrow({
        points: [
          [x1 + width / 2, y1 + height],
          [x2 + width / 2, y2 - 1],
        ],
      })
    }
    if (y2 > y1 + 100) {
      return arrow({
        points: [
          [x1 + width - 12, y1 + height],
          [x2 + width / 2, y2 - 1],
        ],
      })
    }
    return arrow({
      points: [
        [x1 + width, y1 + height / 2],
        [x2 - 1, y2 + height / 2],
      ],
    })
  })
  const boxes = Object.entries(STATES).map(([status, [x, y]]) =>
    box({ x, y, width, height, lines: [status], quiet: y > 220 }),
  )
  return picture({ width: 964, height: 310, title: 'The ordinary course of a payment' }, [
    ...arrows,
    ...boxes,
    '<text x="20" y="34" fill="#5b6370">The ordinary course. Dashed: ended without money. The table has every pair.</text>',
  ])
}

const OVERVIEW: readonly string[] = [
  box({
    x: 20,
    y: 40,
    width: 170,
    height: 62,
    lines: ['your checkout', 'HTTP, SDK or in-process'],
  }),
  box({
    x: 20,
    y: 226,
    width: 170,
    height: 62,
    lines: ['your subscribers', 'ship, e-mail, account'],
  }),
  box({ x: 300, y: 18, width: 240, height: 302, lines: [], quiet: true }),
  '<text x="420" y="308" text-anchor="middle" font-size="12" fill="#5b6370">Gapura, in your process or its own</text>',
  box({ x: 320, y: 40, width: 200, height: 62, lines: ['routes', 'charge, refund, webhook …'] }),
  box({
    x: 320,
    y: 132,
    width: 200,
    height: 66,
    lines: ['PostgreSQL', 'record, lock, queue, outbox'],
  }),
  box({ x: 320, y: 228, width: 200, height: 58, lines: ['worker', 'events, sweeps, resolver'] }),
  box({
    x: 660,
    y: 40,
    width: 180,
    height: 62,
    lines: ['the gateway', 'Midtrans, or the simulator'],
  }),
  box({
    x: 660,
    y: 226,
    width: 180,
    height: 62,
    lines: ['the payer', 'VA, QRIS, wallet, card …'],
  }),
  arrow({
    points: [
      [190, 71],
      [318, 71],
    ],
    text: 'charge',
  }),
  arrow({
    points: [
      [400, 102],
      [400, 130],
    ],
    text: '1 write',
    at: [370, 121],
  }),
  arrow({
    points: [
      [520, 58],
      [658, 58],
    ],
    text: '2 send',
  }),
  arrow({
    points: [
      [660, 86],
      [522, 86],
    ],
    text: 'webhook',
    at: [592, 101],
  }),
  arrow({
    points: [
      [440, 102],
      [440, 130],
    ],
    text: '3 write',
    at: [472, 121],
  }),
  arrow({
    points: [
      [420, 198],
      [420, 226],
    ],
  }),
  arrow({
    points: [
      [320, 257],
      [192, 257],
    ],
    text: 'payment_settled',
    at: [245, 250],
  }),
  arrow({
    points: [
      [520, 244],
      [600, 244],
      [600, 118],
      [690, 118],
      [690, 104],
    ],
    text: 'checks the status',
    at: [662, 185],
    dashed: true,
  }),
  arrow({
    points: [
      [750, 226],
      [750, 104],
    ],
    text: 'pays',
    at: [772, 168],
  }),
]

export const overviewPicture = (): string =>
  picture({ width: 860, height: 338, title: 'Gapura between your code and the gateway' }, OVERVIEW)
