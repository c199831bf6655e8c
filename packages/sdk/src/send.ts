// One logical call: as many tries as its limits allow, all of them the same request.
import { GapuraError, GapuraNetworkError, type NetworkReason } from './errors.ts'
import { readReply, type RawReply } from './replies.ts'
import { delayBefore } from './retry.ts'
import { limitsOf, requireVisible, type CallOptions, type Settings } from './settings.ts'

export interface Sending {
  method: string
  url: string
  input?: object | undefined
  idempotencyKey?: string
  options: CallOptions
}

/** Sends the request until the reply is final, and throws the failure of the last try. */
export async function send<Reply extends object>(
  settings: Settings,
  sending: Sending,
): Promise<Reply> {
  const { signal } = sending.options
  const limits = limitsOf(settings.limits, sending.options)
  const ends_at = performance.now() + limits.deadlineMs
  // Written once, so that every try has the same fingerprint.
  const body = sending.input === undefined ? undefined : JSON.stringify(sending.input)
  let unclear = false
  for (let attempts = 1; ; attempts += 1) {
    const time_ms = Math.min(limits.timeoutMs, ends_at - performance.now())
    const tried: Tried<Reply> = await attempt(settings, {
      ...sending,
      body,
      time_ms,
      attempts,
      unclear,
    })
    if (tried.kind === 'done') return tried.body
    const { error, again }: Failed = tried
    unclear = !error.definite
    const after = error instanceof GapuraError ? error.retryAfterMs : undefined
    const delay_ms = delayBefore(attempts, Math.random(), after)
    const late = performance.now() + delay_ms >= ends_at
    if (!again || late || attempts > limits.retries) throw error
    // A caller that aborts during a pause gets the last failure: it says more than "aborted".
    if (await interrupted(delay_ms, signal)) throw error
  }
}

interface Attempt extends Sending {
  body: string | undefined
  time_ms: number
  attempts: number
  /** An earlier try may have been carried out. */
  unclear: boolean
}

interface Failed {
  kind: 'failed'
  error: GapuraError | GapuraNetworkError
  /** Whether another try may succeed. */
  again: boolean
}

type Tried<Reply> = { kind: 'done'; body: Reply } | Failed

async function attempt<Reply extends object>(
  settings: Settings,
  sent: Attempt,
): Promise<Tried<Reply>> {
  const { idempotencyKey, attempts } = sent
  const reads = sent.method === 'GET'
  const failed = (reason: NetworkReason, detail: string, definite: boolean): Failed => ({
    kind: 'failed',
    error: new GapuraNetworkError(reason, detail, {
      definite: reads || (definite && !sent.unclear),
      attempts,
      idempotencyKey,
    }),
    again: reason !== 'aborted' && reason !== 'no_token',
  })
  if (sent.options.signal?.aborted === true) return failed('aborted', 'before it was sent', true)
  const heard = await exchange(settings, sent)
  if ('reason' in heard) return failed(heard.reason, heard.detail, !heard.left)
  const reading = readReply<Reply>(heard, Date.now())
  if (reading.kind === 'done') return reading
  if (reading.kind === 'unreadable') {
    // A truncated reply may be complete next time; an HTML page will stay an HTML page.
    const cut = /^\s*(?:\{|$)/.test(heard.text)
    const detail = `HTTP ${heard.status}, but no JSON object. Check baseUrl.`
    return { ...failed('unreadable', detail, false), again: cut }
  }
  // A refusal is about its own try. Only a 400 is about the key: the service looked the key up, or
  // refused the same body before.
  const { problem } = reading
  const settled = reading.definite && (!sent.unclear || problem.status === 400)
  const facts = { definite: reads || settled, attempts, idempotencyKey }
  return { kind: 'failed', error: new GapuraError(problem, facts), again: problem.retryable }
}

interface Silence {
  reason: NetworkReason
  detail: string
  /** Whether anything may have left. */
  left: boolean
}

/** One request and its reply, within its time, whatever `fetch` and `token` do. */
async function exchange(settings: Settings, sent: Attempt): Promise<RawReply | Silence> {
  const controller = new AbortController()
  const { signal } = sent.options
  let left = false
  const cut = new Promise<Silence>((resolve) => {
    const end = (reason: NetworkReason, detail: string) => () => {
      resolve({ reason, detail, left })
      controller.abort()
    }
    const timer = setTimeout(end('timed_out', `no reply in ${sent.time_ms} ms`), sent.time_ms)
    const abort = end('aborted', 'by the caller')
    signal?.addEventListener('abort', abort)
    controller.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  })
  const speak = async (): Promise<RawReply | Silence> => {
    try {
      const headers = headersOf(sent, await settings.token())
      if (controller.signal.aborted) return await cut
      left = true
      return await request(settings, sent, headers, controller.signal)
    } catch (error) {
      return { reason: left ? 'unreachable' : 'no_token', detail: wordsOf(error), left }
    }
  }
  const heard = await Promise.race([speak(), cut])
  controller.abort()
  return heard
}

async function request(
  { fetch }: Settings,
  { url, method, body }: Attempt,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<RawReply> {
  // A redirect followed would turn a POST into a GET, or carry the key elsewhere.
  const init: RequestInit = { method, headers, signal, redirect: 'manual' }
  const reply = await fetch(url, body === undefined ? init : { ...init, body })
  const retry_after = reply.headers.get('retry-after')
  return { status: reply.status, retry_after, text: await reply.text() }
}

export function headersOf(
  { body, idempotencyKey }: { body?: string | undefined; idempotencyKey?: string },
  token?: string,
): Record<string, string> {
  if (token !== undefined) requireVisible('token', token)
  return {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

/** The error's name and code only: its text and causes may quote what was sent, key and all. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not an Error'
  const code = codeOf(error) ?? codeOf(error.cause)
  return code === undefined ? error.name : `${error.name} ${code}`
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && /^[A-Z_0-9]+$/.test(String(error.code))
    ? String(error.code)
    : undefined

/** Waits; true if the caller aborted meanwhile. */
const interrupted = async (time_ms: number, signal?: AbortSignal): Promise<boolean> =>
  await new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(true)
      return
    }
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve(signal?.aborted === true)
    }
    const timer = setTimeout(end, time_ms)
    signal?.addEventListener('abort', end)
  })
