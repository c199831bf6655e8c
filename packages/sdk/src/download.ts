// A reply that is a file, passed on as a stream. It is requested once; after a broken download the
// caller decides whether to repeat it.
import { GapuraError, GapuraNetworkError } from './errors.ts'
import { readReply } from './replies.ts'
import { headersOf, wordsOf } from './send.ts'
import type { CallOptions, Settings } from './settings.ts'

const FACTS = { definite: true, attempts: 1, idempotencyKey: undefined }

/** The file's bytes, or the service's error. Of the options only `signal` applies. */
export async function download(
  settings: Settings,
  url: string,
  { signal }: CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const reply = await asked(settings, url, signal)
  const { status, body } = reply
  if (reply.ok && body !== null) return body
  const retry_after = reply.headers.get('retry-after')
  const reading = readReply({ status, retry_after, text: await reply.text() }, Date.now())
  if (reading.kind === 'failed') throw new GapuraError(reading.problem, FACTS)
  throw new GapuraNetworkError('unreadable', `HTTP ${status}, but no file`, FACTS)
}

async function asked(settings: Settings, url: string, signal?: AbortSignal): Promise<Response> {
  try {
    const headers = headersOf({}, await settings.token())
    const init: RequestInit = {
      method: 'GET',
      headers: { ...headers, accept: '*/*' },
      redirect: 'manual',
    }
    return await settings.fetch(url, signal ? { ...init, signal } : init)
  } catch (error) {
    const reason = signal?.aborted === true ? 'aborted' : 'unreachable'
    throw new GapuraNetworkError(reason, wordsOf(error), FACTS)
  }
}
