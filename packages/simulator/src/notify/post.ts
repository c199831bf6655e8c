export interface PostOutcome {
  http_status: number | undefined
  error: string | undefined
  hops: number
}

// Wire 5.4: a method-preserving redirect is followed this often.
const HOPS_MAX = 5

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
      // The body is ignored, yet an unread one would hold the connection.
      await reply.body?.cancel()
      const location = reply.headers.get('location')
      const moved = (reply.status === 307 || reply.status === 308) && location !== null
      if (!moved || hops === HOPS_MAX) return { http_status: reply.status, error: undefined, hops }
      target = new URL(location, target).href
    } catch (error) {
      return { http_status: undefined, error: reasonOf(error), hops }
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
