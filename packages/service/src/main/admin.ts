// Health and metrics, on a port of their own (api-rules.md#authentication): no caller is asked for,
// so it must not be reachable from outside.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Health, HealthParts } from './health.ts'
import { CONTENT_TYPE } from './metrics/text_format.ts'

export interface AdminParts extends HealthParts {
  metrics: () => Promise<string>
  /** Whether the process is about to end: not ready any more, but alive. */
  stopping?: () => boolean
}

interface Page {
  status: number
  type: string
  body: string
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** `GET /livez`, `/readyz` and `/metrics`; for `node:http` and whatever takes its handlers. */
export const adminHandlerOf =
  (parts: AdminParts) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    pageOf(parts, request).then(
      (page) => send(response, page, request.method === 'HEAD'),
      () => send(response, judged(false, { admin: 'failed' }), false),
    )
  }

/** Every page there is; the access matrix asks each of them as everybody. */
export const ADMIN_PAGES: ReadonlyMap<string, (parts: AdminParts) => Promise<Page>> = new Map([
  [
    '/livez',
    async (parts: AdminParts) => {
      const { live, checks } = parts.liveness()
      return await Promise.resolve(judged(live, checks))
    },
  ],
  [
    '/readyz',
    async (parts: AdminParts) => {
      if (parts.stopping?.() === true) return judged(false, { process: 'stopping' })
      const { ready, checks } = await parts.health()
      return judged(ready, checks)
    },
  ],
  [
    '/metrics',
    async (parts: AdminParts) => ({
      status: 200,
      type: CONTENT_TYPE,
      body: await parts.metrics(),
    }),
  ],
])

async function pageOf(parts: AdminParts, { method, url = '' }: IncomingMessage): Promise<Page> {
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD\n')
  const page = ADMIN_PAGES.get(url.split('?', 1)[0] ?? '')
  return (await page?.(parts)) ?? plain(404, 'here are /livez, /readyz and /metrics\n')
}

const plain = (status: number, body: string): Page => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
})

const judged = (good: boolean, checks: Health['checks']): Page => ({
  status: good ? 200 : 503,
  type: JSON_TYPE,
  body: `${JSON.stringify({ status: good ? 'ok' : 'unavailable', checks })}\n`,
})

function send(response: ServerResponse, { status, type, body }: Page, head: boolean): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(head ? undefined : body)
}
