export interface PostOutcome {
  http_status: number | undefined
  error: string | undefined
  hops: number
  /** The beginning of the reply, for the pages; it has no effect. */
  reply: string | undefined
}

// A method-preserving redirect is followed this often (gateway-protocol.md#notification-retries).
const HOPS_MAX = 5
const REPLY_BYTES_MAX = 1024
// The status alone decides, so a slow body is not awaited.
const REPLY_WAIT_MS = 250

interface Post {
  url: string
  body: string
  timeout_ms: number
  closing: AbortSignal
}

/** Posts a notification as the gateway does; a failure is an outcome, never an exception. */
export async function postNotification({
  url,
  body,
  timeout_ms,
  closing,
}: Post): Promise<PostOutcome> {
  // One time-out for all hops together: the merchant has 15 seconds, not 15 per redirect.
  const signal = AbortSignal.any([AbortSignal.timeout(timeout_ms), closing])
  let target = url
  for (let hops = 0; ; hops += 1) {
    try {
      const reply = await fetch(target, {
        method: 'POST',
        headers: {
          'user-agent': 'Veritrans',
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body,
        redirect: 'manual',
        signal,
      })
      const text = await beginningOf(reply)
      const location = reply.headers.get('location')
      const moved = (reply.status === 307 || reply.status === 308) && location !== null
      if (!moved || hops === HOPS_MAX) {
        return { http_status: reply.status, error: undefined, hops, reply: text }
      }
      target = new URL(location, target).href
    } catch (error) {
      return { http_status: undefined, error: reasonOf(error), hops, reply: undefined }
    }
  }
}

/** The part of the body that has arrived. The rest is cancelled to free the connection. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, REPLY_WAIT_MS)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < REPLY_BYTES_MAX) {
      const part = await Promise.race([reader.read(), patience.promise])
      if (!part?.value) break
      chunks.push(part.value)
      size += part.value.length
    }
    await reader.cancel()
  } catch {
    // The status was received; a partial body is discarded.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).subarray(0, REPLY_BYTES_MAX).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
