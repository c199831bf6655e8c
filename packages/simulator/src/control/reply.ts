import type { Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import type { Pattern } from '../http/route_table.ts'

/** One endpoint of the control API or one page. */
export interface ControlRoute extends Pattern {
  handler: (host: Host, call: Call) => Reply | Promise<Reply>
}

/** `GET /_sim/clock` and what answers it. */
export const route = (pattern: string, handler: ControlRoute['handler']): ControlRoute => {
  const [method = '', path = ''] = pattern.split(' ')
  return { method, path, handler }
}

/** A refusal of the control API; its shape differs from every gateway reply. */
export const fault = (http_status: number, error: string): Reply =>
  httpReply(http_status, { error })
