// The whole service with unique secrets: the stand-alone callers, a gateway that can be hostile, a
// worker, and a recorder at every output.
import { createServer } from 'node:http'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { SignJWT } from 'jose'
import { afterAll, beforeAll } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { jobsSchema } from '../../src/store/maintenance/jobs.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import { listen, send, type Answer, type Json, type Sent } from '../http/http_bench.ts'
import { charges } from '../services/charge_inputs.ts'
import { DATABASE_URL, useDatabase } from '../store/test_database.ts'
import { Canaries } from './canaries.ts'
import { hostileGateway } from './hostile_gateway.ts'
import { readTables, Witness, type Seen } from './surfaces.ts'

const SERVER_KEY = 'SB-Mid-server-Kanari_3mAs-9fQ2'
export const CARD_NUMBER = '4716253819407562'
export const CVV = '7391'
const WEBHOOK_KEY = Buffer.alloc(32, 'Kanari-webhook-key').toString('base64')
/** Where an endpoint is made or gets a new secret. */
const SHOWS_SECRET = /^\/webhook_endpoints\/(?:[^/]+\/rotate\/)?$/
const JWT_SECRET = 'kanari: a shared secret of many bytes'
const JWT = { issuer: 'https://issuer.example', audience: 'gapura' }
const OWNER: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }

interface Parts {
  gapura: Gapura
  simulator: Simulator
  /** The card form in the payer's browser: it calls the gateway, not the service. */
  cards: GatewayClient
  ctx: Context
  url: string
  api_key: string
  jwt: string
}

/** The secrets of callers and cards, as they are while the service runs. */
export type Secrets = Record<
  'server_key' | 'card_number' | 'token_id' | 'saved_token_id' | 'api_key' | 'jwt',
  string
>

export type CanaryBench = ReturnType<typeof useCanaries>

/** Sets all of it up around the tests of a file. */
export function useCanaries() {
  const database = useDatabase()
  const canaries = new Canaries()
  const witness = new Witness()
  let parts: Parts | undefined
  let minted = 0
  let looked = 0
  const searched = new Set<string>()
  const opened = (): Parts => {
    if (parts === undefined) throw new Error('open only inside tests')
    return parts
  }
  const gateway = hostileGateway(() => opened().simulator.url, SERVER_KEY)
  const server = createServer((request, response) => opened().gapura.nodeHandler(request, response))
  const optionsOf = (base_url: string, more: Partial<GapuraOptions> = {}): GapuraOptions => ({
    databaseUrl: DATABASE_URL,
    schema: database.db.schema,
    gateway: {
      server_key: SERVER_KEY,
      base_url,
      retry_delay_ms: 1,
      timeout_ms_max: 2_000,
      breaker_rest_ms: 1,
    },
    jwt: { ...JWT, secret: new Secret(JWT_SECRET) },
    logger: witness.logger,
    webhooks: { keys: [WEBHOOK_KEY], allow_private: true, endpoints_max: 10_000 },
    ...more,
  })
  beforeAll(async () => {
    const url = await listen(server)
    const hostile_url = await listen(gateway.server)
    const simulator = await createSimulator({
      port: 0,
      seed: 7,
      server_key: SERVER_KEY,
      notification_url: `${url}/notification/`,
    })
    const { client_key } = simulator
    const options = optionsOf(hostile_url)
    const gapura = createGapura(options)
    const ctx = withInbox({
      db: database.db,
      gateway: new GatewayClient(options.gateway),
      log: witness.logger,
      confirm_notifications: false,
      reached: () => undefined,
    })
    await migrateJobs(ctx)
    const cards = new GatewayClient({
      server_key: SERVER_KEY,
      client_key,
      base_url: simulator.url,
      card_data: true,
    })
    const { key: api_key } = await gapura.createApiKey({ ...OWNER, name: 'till' })
    const jwt = await new SignJWT({ scope: SCOPES.join(' ') })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(JWT.issuer)
      .setAudience(JWT.audience)
      .setSubject(OWNER.owner_id)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(JWT_SECRET))
    parts = { gapura, simulator, cards, ctx, url, api_key, jwt }
    canaries.watch('server key', SERVER_KEY)
    canaries.watch('basic authentication', Buffer.from(`${SERVER_KEY}:`).toString('base64'))
    canaries.watch('card number', CARD_NUMBER)
    canaries.watch('CVV', CVV)
    canaries.watch('API key', api_key)
    canaries.watch('JWT', jwt)
    canaries.watch('JWT secret', JWT_SECRET)
    canaries.watch('webhook key', WEBHOOK_KEY)
  })
  afterAll(async () => {
    for (const one of [server, gateway.server]) {
      one.closeAllConnections()
      one.close()
    }
    await parts?.gapura.close()
    await parts?.ctx.gateway.close()
    await parts?.cards.close()
    await parts?.simulator.close()
  })

  const card = { card_number: CARD_NUMBER, card_exp_month: '12', card_exp_year: '2035' }
  const token = async (): Promise<string> => {
    const { token_id } = await opened().cards.getCardToken({ ...card, card_cvv: CVV })
    return canaries.watch('card token', String(token_id))
  }
  const savedToken = async (): Promise<string> =>
    canaries.watch(
      'saved card token',
      String((await opened().cards.registerCard(card)).saved_token_id),
    )
  const { chargeOf } = charges(() => opened().cards)
  const fresh = (prefix: string): string => `${prefix}-${++minted}`

  const tables = async (): Promise<Seen[]> =>
    await readTables(database.sql, [database.db.schema, jobsSchema(database.db)])

  /**
   * The reply without the saved tokens and the secrets of endpoints in the fields that show them to
   * their owner once; from then on they must be found nowhere, not even in a repeat of that reply.
   */
  const withoutRevealed = (path: string, { text, headers, body }: Answer): string => {
    if (headers.has('idempotency-replayed')) return text
    const { payment, gateway_response } = body as Partial<Record<string, Json>>
    const showing =
      path === '/charge/'
        ? [body]
        : path.endsWith('/check_status/')
          ? [payment, gateway_response]
          : []
    let clean = text
    const { secret } = body
    if (SHOWS_SECRET.test(path) && typeof secret === 'string') {
      canaries.watch('webhook secret', secret)
      clean = clean.replace(`"secret":${JSON.stringify(secret)}`, '"secret":null')
    }
    for (const shown of showing) {
      const saved = shown?.['saved_token_id']
      if (typeof saved !== 'string') continue
      canaries.watch('saved token of a charge', saved)
      clean = clean.replace(`"saved_token_id":${JSON.stringify(saved)}`, '"saved_token_id":null')
    }
    return clean
  }

  /** One request, by default with the API key; the reply is recorded. */
  const ask = async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${opened().api_key}`, ...sent.headers }
    const base = sent.as ?? opened().url
    const answer = await send(method, `${base}${path}`, { ...sent, as: '', headers })
    witness.reply(`${method} ${path}`, { ...answer, text: withoutRevealed(path, answer) })
    return answer
  }
  return {
    database,
    canaries,
    witness,
    gateway,
    fresh,
    token,
    savedToken,
    ask,
    optionsOf,
    owner: OWNER,
    get parts(): Parts {
      return opened()
    },
    secrets: async (): Promise<Secrets> => ({
      server_key: SERVER_KEY,
      card_number: CARD_NUMBER,
      token_id: await token(),
      saved_token_id: await savedToken(),
      api_key: opened().api_key,
      jwt: opened().jwt,
    }),
    /** The body of a valid charge; a card's token is a secret. */
    inputOf: async (payment_type: string, more: object = {}) => ({
      ...(await chargeOf(payment_type)),
      order_id: fresh(payment_type),
      ...(payment_type === 'credit_card' && { token_id: await token(), save_token_id: true }),
      ...more,
    }),
    /** The payer's actions and the simulator's clock. */
    control: async (path: string, body: object = {}): Promise<void> => {
      await send('POST', `${opened().simulator.url}/_sim/${path}`, { body })
    },
    sign: (fields: { order_id: string; status_code: string; gross_amount: string }) =>
      canaries.watch('signature', signNotification(fields, SERVER_KEY)),
    /** A call of the in-process API; its result or error is recorded. */
    call: async (where: string, work: () => Promise<unknown>): Promise<void> => {
      witness.returned(where, await work().catch((error: unknown) => error))
    },
    /** All output so far, and everything on disk. */
    everything: async (): Promise<Seen[]> => [...witness.seen, ...(await tables())],
    /** Output and rows that were not looked at yet. */
    sinceLastLook: async (): Promise<Seen[]> => {
      const news = witness.seen.slice(looked)
      looked = witness.seen.length
      const rows = (await tables()).filter(({ where, text }) => !searched.has(`${where} ${text}`))
      for (const { where, text } of rows) searched.add(`${where} ${text}`)
      return [...news, ...rows]
    },
  }
}
