import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, signEvent, type EventListQuery } from '@gapura/sdk'
import { createGapura, readConfig } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { ensureDevFolder, keptSecret } from '../dev/dev_folder.ts'
import { timeOf } from '../formats.ts'
import { NO_LOG, untilStopped } from '../service_process.ts'
import { LOOKING } from '../session.ts'

/** An event as it is forwarded: the body is its JSON. */
interface Forwarded {
  type: string
  timestamp: string
  data: { id: string; sequence: number; object: Readonly<Record<string, unknown>> }
}

interface FeedPart {
  events: readonly Forwarded[]
  next: string
  has_more: boolean
}

/** The feed, of a service over HTTP or of the database in the settings. */
interface Source {
  read: (after: string) => Promise<FeedPart>
  close: () => Promise<void>
}

const POLL_MS = 500
const RETRY_MS_MAX = 10_000
const ANSWER_WITHIN_MS = 15_000
const SECRET_BYTES = 32

function sourceOf(call: Call): Source {
  const types = call.text('types')
  const owner_id = call.text('owner')
  const asked: EventListQuery = {
    ...(types !== undefined && { types }),
    ...(owner_id !== undefined && { owner_id }),
  }
  const baseUrl = call.text('url')
  if (baseUrl === undefined) return sourceOfSettings(call, asked)
  const apiKey = call.environment['GAPURA_API_KEY']
  if (apiKey === undefined) throw new UsageError('--url needs a key in GAPURA_API_KEY')
  const feed = createClient({ baseUrl, apiKey, retries: 0 }).events.list(asked)
  return {
    read: async (after) => {
      const { events, next, hasMore } = await feed.page(after)
      // As the service sends it: `id` on the outside is the client library's.
      const sent = events.map(({ type, timestamp, data }) => ({ type, timestamp, data }))
      return { events: sent, next, has_more: hasMore }
    },
    close: async () => await Promise.resolve(),
  }
}

function sourceOfSettings({ environment }: Call, asked: EventListQuery): Source {
  const { gapura: options } = readConfig(environment)
  const database = { ...options.database, connections_max: 2 }
  const gapura = createGapura({ ...options, database, logger: NO_LOG })
  return {
    read: async (after) => {
      const page = await gapura.api.listEvents(LOOKING, { ...asked, after })
      return { events: page.results, next: page.next, has_more: page.has_more }
    },
    close: gapura.close,
  }
}

/** The same at every start in this folder, so that it is pasted into a receiver once. */
function secretOf(): string {
  ensureDevFolder()
  return keptSecret('listen', () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`)
}

interface Delivery {
  /** Null: there was no answer. */
  status: number | null
  ms: number
  error?: string
}

/** Sends an event as the service sends a webhook. A redirect is an answer and is not followed. */
async function deliver(url: string, secret: string, event: Forwarded): Promise<Delivery> {
  const body = JSON.stringify(event)
  const signed = await signEvent({ id: event.data.id, body, secrets: secret })
  const began = performance.now()
  const taken = (): number => Math.round(performance.now() - began)
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'gapura-listen', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await reply.arrayBuffer()
    return { status: reply.status, ms: taken() }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
    return { status: null, ms: taken(), error: code ?? 'no answer' }
  }
}

async function forward(call: Call, event: Forwarded, to: string | undefined, secret: string) {
  const { type, timestamp, data } = event
  const object_id = String(data.object['id'])
  const shown = { id: data.id, type, timestamp, object_id, sequence: data.sequence }
  const delivery = to === undefined ? undefined : await deliver(to, secret, event)
  call.output.event({ event: 'forwarded', ...shown, ...(delivery && { delivery }) }, () => {
    const answer = delivery && `[${delivery.status ?? delivery.error}] ${delivery.ms} ms`
    const parts = [timeOf(new Date(timestamp)), type.padEnd(22), object_id, answer ?? '']
    return parts.join('  ').trimEnd()
  })
}

/** Until it is stopped. After a failure it continues at the same place, and skips nothing. */
async function follow(call: Call, source: Source, secret: string, stopped: AbortSignal) {
  const to = call.text('forward-to')
  let after = call.text('after') ?? 'now'
  let failures = 0
  while (!stopped.aborted) {
    try {
      const { events, next, has_more } = await source.read(after)
      if (failures > 0) call.output.progress('connected again')
      failures = 0
      for (const event of events) await forward(call, event, to, secret)
      after = next
      if (!has_more) await pause(POLL_MS, stopped)
    } catch (error) {
      // At the first read the settings may be wrong: then it would never succeed.
      if (after === 'now' || !isPassing(error)) throw error
      if (failures++ === 0) call.output.progress('disconnected, trying again')
      await pause(Math.min(POLL_MS * 2 ** failures, RETRY_MS_MAX), stopped)
    }
  }
}

/** A refusal stays; a service or database that is away comes back. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'status' in error ? Number(error.status) : 503
  return status >= 500 || status === 429
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  await sleep(ms, undefined, { signal }).catch(() => undefined)

async function run(call: Call): Promise<void> {
  const secret = secretOf()
  if (call.on('print-secret')) {
    call.output.result({ secret }, () => secret)
    return
  }
  const to = call.text('forward-to')
  if (to !== undefined && !/^https?:$/.test(URL.parse(to)?.protocol ?? '')) {
    throw new UsageError('--forward-to must be an http or https address')
  }
  const source = sourceOf(call)
  const stopped = new AbortController()
  void untilStopped().then(() => stopped.abort())
  try {
    call.output.event(
      { event: 'ready', secret },
      () => `Ready. The webhook signing secret is ${secret} (Ctrl-C stops)`,
    )
    await follow(call, source, secret, stopped.signal)
  } finally {
    await source.close()
  }
}

export const listen: Command = {
  name: 'listen',
  summary: 'Follow the event feed, and forward each event to a receiver on this machine.',
  details:
    'Prints one line for every event with the receiver’s answer. Each is sent as a webhook is: signed by Standard Webhooks with a development secret, which stays the same in this folder. An event is sent once, whatever the answer. Reads the database of the settings or of a running gapura dev; with --url it reads the feed of a service, with the key in GAPURA_API_KEY. After a lost connection it continues where it was.',
  flags: {
    'forward-to': { value: 'url', summary: 'post each event to this address' },
    types: { value: 'list', summary: 'only these types, with commas between them' },
    owner: { value: 'owner', summary: 'only events of this owner' },
    after: { value: 'cursor', summary: 'begin at this cursor of the feed (default now)' },
    url: { value: 'url', summary: 'a service, prefix included, instead of the database' },
    'print-secret': { summary: 'print the signing secret and end' },
  },
  examples: [
    'gapura listen --forward-to http://localhost:8080/webhooks',
    'gapura listen --types payment_settled,payment_refunded',
    'gapura listen --print-secret',
  ],
  run,
}
