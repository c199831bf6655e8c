import type { IncomingHttpHeaders } from 'node:http'
import type { Fields } from '../wire/fields.ts'
import type { World } from '../world/world.ts'
import type { Reply } from './reply.ts'

/** One parsed request. */
export interface Call {
  operation: string
  method: string
  /** Path parameters, decoded. */
  params: Fields
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body_text: string
  /** Nothing when the text is no JSON object. */
  body: Fields | undefined
}

/** Handlers are synchronous, so calls never interleave. */
export type Handler = (world: World, call: Call) => Reply

/** A header's one value; a repeated header counts as its first. */
export function headerOf(call: Call, name: string): string | undefined {
  const value = call.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** A path parameter, or an empty text that matches no object. */
export function paramOf(call: Call, name: string): string {
  const value = call.params[name]
  return typeof value === 'string' ? value : ''
}
