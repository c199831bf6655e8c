// A proxy in front of the simulator that can send back everything it received.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export const MOODS = [
  'honest',
  'echoing',
  'refusing',
  'odd_code',
  'failing',
  'silent',
  'deaf',
] as const

/**
 * honest: the simulator's answer. echoing: a success that quotes the request in every field.
 * refusing, odd_code, failing: the quote as a refusal, in place of a code, as an edge's error page.
 * silent: the work is done and the answer lost. deaf: neither.
 */
export type Mood = (typeof MOODS)[number]

interface Received {
  request: IncomingMessage
  body: string
}

export function hostileGateway(simulator_url: () => string, server_key: string) {
  let mood: Mood = 'honest'
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = { request, body: Buffer.concat(chunks).toString() }
      answer(received, response, mood).catch(() => response.destroy())
    })
  })

  async function forward({ request, body }: Received) {
    const { authorization = '', 'idempotency-key': key } = request.headers
    const reply = await fetch(`${simulator_url()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      },
      ...(body !== '' && { body }),
    })
    return { status: reply.status, text: await reply.text() }
  }

  const quoteOf = ({ request, body }: Received): string =>
    `${request.url} ${request.headers.authorization} ${server_key} ${body}`

  async function answer(received: Received, response: ServerResponse, how: Mood): Promise<void> {
    const quote = quoteOf(received)
    if (how === 'deaf') return void response.destroy()
    if (how === 'failing') return void response.writeHead(500).end(`<html>${quote}</html>`)
    if (how === 'refusing' || how === 'odd_code') {
      const status_code = how === 'refusing' ? '400' : quote
      const body = { status_code, status_message: quote, validation_messages: [quote] }
      return void response.writeHead(200).end(JSON.stringify(body))
    }
    const { status, text } = await forward(received)
    if (how === 'silent') return void response.destroy()
    const spoilt = how === 'honest' ? text : JSON.stringify({ ...JSON.parse(text), ...echo(quote) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(spoilt)
  }

  /** In fields for text, and in unknown fields. */
  const echo = (quote: string) => ({
    status_message: quote,
    channel_response_message: quote,
    issuer: quote,
    bank: quote,
    store: quote,
    saved_token_id: quote,
    redirect_url: `https://pay.example/?key=${server_key}`,
    metadata_echo: { [server_key]: quote, authorization: quote },
    refunds: [{ refund_key: 'elsewhere', refund_amount: '1.00', reason: quote }],
  })

  return {
    server,
    /** Behaves like this while the work is done. */
    as: async <Result>(next: Mood, work: () => Promise<Result>): Promise<Result> => {
      const before = mood
      mood = next
      return await work().finally(() => {
        mood = before
      })
    },
  }
}
