import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import type { Transaction } from '../world/transaction.ts'
import { DEEDS } from './payer.ts'
import { fault, route, type ControlRoute } from './reply.ts'

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

function page({ order_id, gross_amount, status, payment_type }: Transaction, form: string): Reply {
  const title = `${escape(payment_type)} ${escape(order_id)}`
  return httpReply(
    200,
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>` +
      `<body><h1>${title}</h1><p>Rp ${gross_amount}</p><p>Status: <b>${status}</b></p>` +
      `${status === 'pending' ? form : ''}</body></html>`,
  )
}

const button = (value: string, label: string): string =>
  `<button name="result" value="${value}">${label}</button> `

const THREE_DS_FORM = `<form method="post">${button('ok', 'OK')}${button('fail', 'Fail')}</form>`
const PAY_FORM = `<form method="post">${button('pay', 'Pay')}${button('deny', 'Refuse')}</form>`

const find = (host: Host, call: Call): Transaction | undefined =>
  host.world().book.byId(paramOf(call, 'id'))

const shows =
  (form: string) =>
  (host: Host, call: Call): Reply => {
    const transaction = find(host, call)
    return transaction ? page(transaction, form) : fault(404, 'no such transaction')
  }

function finish(host: Host, call: Call): Reply {
  const transaction = find(host, call)
  if (!transaction) return fault(404, 'no such transaction')
  const result = new URLSearchParams(call.body_text).get('result') ?? 'ok'
  DEEDS['finish_3ds']?.(host.world(), transaction, { result })
  return page(transaction, THREE_DS_FORM)
}

function pay(host: Host, call: Call): Reply {
  const transaction = find(host, call)
  if (!transaction) return fault(404, 'no such transaction')
  const deed = new URLSearchParams(call.body_text).get('result') === 'deny' ? 'deny' : 'pay'
  DEEDS[deed]?.(host.world(), transaction, {})
  return page(transaction, PAY_FORM)
}

/** Where the links in replies lead. Plain on purpose: they only have to resolve and to work. */
export const PAGE_ROUTES: ControlRoute[] = [
  route('GET /_sim/3ds/{id}', shows(THREE_DS_FORM)),
  route('POST /_sim/3ds/{id}', finish),
  route('GET /_sim/pages/pay/{id}', shows(PAY_FORM)),
  route('POST /_sim/pages/pay/{id}', pay),
  ...['/v2/gopay', '/v2/qris', '/v4/gopay', '/v4/qris'].flatMap((prefix) => [
    route(`GET ${prefix}/{id}/qr-code`, shows(PAY_FORM)),
    route(`POST ${prefix}/{id}/qr-code`, pay),
  ]),
]
