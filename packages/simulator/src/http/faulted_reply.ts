import { integerAt, isFields, textAt, type Fields } from '../wire/fields.ts'
import type { FaultRule } from '../world/faults.ts'
import type { Operation } from './operations.ts'
import type { Reply } from './reply.ts'

const PAGE = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>'
const OVER_LONG_BYTES = 5_000_000

type Family = Operation['family']
type Spoiler = (options: Fields, family: Family) => Reply

/** Effects that replace the reply: by default the work is not done. */
const INSTEAD: Partial<Record<FaultRule['effect'], Spoiler>> = {
  status: (options, family) => {
    const http_status = integerAt(options, 'http_status') ?? 500
    return { http_status, body: given(options) ?? FAILURES[family](http_status) }
  },
  html: (options) => html(integerAt(options, 'http_status') ?? 502),
  rate_limited: (options) => {
    const after = integerAt(options, 'retry_after')
    const body = { status_code: '429', status_message: 'Too many requests' }
    return { http_status: 429, body, ...(after !== undefined && { headers: retryAfter(after) }) }
  },
  still_running: () => ({
    http_status: 202,
    body: { status_code: '202', status_message: 'In progress' },
  }),
  redirect: (options) => ({
    http_status: integerAt(options, 'http_status') ?? 302,
    body: '',
    headers: { location: textAt(options, 'location') ?? '/' },
  }),
}

/** Effects that damage the correct reply: the work is done. */
const GARBLED: Partial<Record<FaultRule['effect'], (reply: Reply, options: Fields) => Reply>> = {
  truncated_json: (reply) => {
    const text = textOf(reply)
    return { ...reply, body: text.slice(0, Math.floor(text.length / 2)), headers: JSON_TYPE }
  },
  wrong_types: (reply) =>
    typeof reply.body === 'string' ? reply : { ...reply, body: wrong(reply.body) },
  over_long: (reply, options) => {
    const padding = 'x'.repeat(integerAt(options, 'bytes') ?? OVER_LONG_BYTES)
    return typeof reply.body === 'string'
      ? { ...reply, body: reply.body + padding }
      : { ...reply, body: { ...reply.body, padding } }
  },
}

/** The reply of a fault without the work, or undefined if it needs the work. */
export const replyInstead = ({ effect, options }: FaultRule, family: Family): Reply | undefined =>
  INSTEAD[effect]?.(options, family)

/** The reply of a fault after the work. */
export const spoil = (reply: Reply, fault: FaultRule, family: Family): Reply =>
  replyInstead(fault, family) ?? GARBLED[fault.effect]?.(reply, fault.options) ?? reply

const textOf = ({ body }: Reply): string => (typeof body === 'string' ? body : JSON.stringify(body))

const JSON_TYPE = { 'content-type': 'application/json' }
const retryAfter = (seconds: number): Record<string, string> => ({ 'retry-after': String(seconds) })

const html = (http_status: number): Reply => ({
  http_status,
  body: PAGE,
  headers: { 'content-type': 'text/html' },
})

function given(options: Fields): Fields | string | undefined {
  const { body } = options
  return typeof body === 'string' || isFields(body) ? body : undefined
}

const RECOVERING = 'Sorry, our system is recovering from unexpected issues. Please retry.'

/** The error shape of each family (gateway-protocol.md#where-the-code-is). */
const FAILURES: Record<Family, (http_status: number) => Fields> = {
  core: (http_status) => ({ status_code: String(http_status), status_message: RECOVERING }),
  subscription: () => ({ status_message: RECOVERING }),
  invoice: () => ({ error_messages: ['Internal server error'] }),
  snap: (http_status) => ({
    error_messages: [RECOVERING],
    ...(http_status >= 500 && { locale: 'en' }),
  }),
  balance: () => ({ error_messages: [RECOVERING] }),
  bi_snap: (http_status) => ({
    responseCode: `${http_status}0001`,
    responseMessage: 'Internal Server Error',
  }),
  bin: () => ({ errors: [{ message_title: 'error', message: RECOVERING }] }),
}

/** Strings of digits become numbers, numbers strings, lists objects, and the other way round. */
function wrong(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)) return [key, Number(value)]
      if (typeof value === 'string') return [key, { value }]
      if (typeof value === 'number') return [key, String(value)]
      if (Array.isArray(value)) return [key, {}]
      return [key, [value]]
    }),
  )
}
