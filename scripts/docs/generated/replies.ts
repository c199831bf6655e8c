// Real answers for the pages of the payment types: each charged once, at a simulator with a
// stopped clock, so that the same code gives the same pages.
import { randomBytes } from 'node:crypto'
import { createSimulator } from '@gapura/simulator'
import { createGapura, GatewayClient, type Caller, type Gapura } from 'gapura'
import { Client } from 'pg'
import { PAYMENT_REQUESTS } from './payment_requests.ts'

export interface Answer {
  request: object
  reply: object
}

const START = Date.parse('2026-01-05T03:00:00Z')
const SCRATCH_ID = '019b8be5-7d80-7aa1-8f00-00000000000'
const TOKEN = 'token-from-the-browser'
const CARD = {
  card_number: '4811111111111114',
  card_exp_month: '12',
  card_exp_year: '2030',
  card_cvv: '123',
}

/** Charges every type through the same handler as HTTP callers. Needs PostgreSQL. */
export async function collectAnswers(databaseUrl: string): Promise<Map<string, Answer>> {
  const schema = `t_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
  const simulator = await createSimulator({
    port: 0,
    seed: 1,
    frozen_clock: true,
    start_time: START,
  })
  const { server_key, client_key, url: base_url } = simulator
  const caller: Caller = { owner_id: 'shop', staff: false, scopes: ['payments:write'] }
  const gapura = createGapura({
    databaseUrl,
    schema,
    gateway: { server_key, base_url },
    authenticate: () => caller,
  })
  const browser = new GatewayClient({ server_key, client_key, base_url, card_data: true })
  try {
    await gapura.migrate()
    const answers = new Map<string, Answer>()
    for (const [type, request] of Object.entries(PAYMENT_REQUESTS)) {
      const token = type === 'credit_card' ? (await browser.getCardToken(CARD)).token_id : ''
      const { request: sent, reply } = await charged(
        gapura,
        { payment_type: type, ...request },
        token ?? '',
      )
      // Its links name the port of this run; a reader's simulator has the usual one.
      const text = JSON.stringify(reply).replaceAll(base_url, 'http://127.0.0.1:4010')
      answers.set(type, { request: sent, reply: JSON.parse(text) as object })
    }
    return answers
  } finally {
    await browser.close()
    await gapura.close()
    await simulator.close()
    await dropSchemas(databaseUrl, schema)
  }
}

async function charged(gapura: Gapura, request: object, token: string): Promise<Answer> {
  const sent = JSON.stringify(request).replace(TOKEN, token)
  const reply = await gapura.fetchHandler(
    new Request('http://shop/charge/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: sent,
    }),
  )
  const body = await reply.text()
  if (reply.status !== 201) throw new Error(`${sent} was answered with ${reply.status}: ${body}`)
  return { request, reply: steady(JSON.parse(body) as Record<string, unknown>) }
}

/** Without what is null or empty, and with the same ids and times in every run. */
function steady(reply: Record<string, unknown>): object {
  const at = new Date(START).toISOString()
  const { items } = reply as { items: Record<string, unknown>[] }
  const fixed = {
    ...reply,
    id: `${SCRATCH_ID}0`,
    items: items.map((item, index) => filled({ ...item, id: `${SCRATCH_ID}${index + 1}` })),
    created_at: at,
    updated_at: at,
    // As at that moment; ours has passed its expiry.
    is_expired: false,
  }
  return filled(fixed)
}

const filled = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, one]: [string, unknown]) =>
        one !== null && !(typeof one === 'object' && Object.keys(one).length === 0),
    ),
  )

async function dropSchemas(databaseUrl: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`drop schema if exists ${schema} cascade`)
  await client.query(`drop schema if exists ${schema}_worker cascade`)
  await client.end()
}
