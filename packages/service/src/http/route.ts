import { Type } from 'typebox'
import type { Scope } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import {
  problem,
  replied,
  type Answered,
  type Outcome,
  type Request,
} from '../services/requests.ts'
import { requestParser } from '../services/validation.ts'

/** What a route works on. */
export interface Asked {
  request: Request
  /** `{pk}` of the path, or empty. */
  id: string
  /** `{action_name}` of the path, or empty. */
  action: string
  input: unknown
  query: Readonly<Record<string, unknown>>
  /** The path as the client sees it, for links to other pages. */
  path: string
}

interface RouteBase {
  method: 'GET' | 'POST'
  /** With its slash; the form without is served too and never redirected (ADR 0005). */
  path: `/${string}/`
}

/** Needs a caller, and the scope if it names one (api-rules.md#authentication). */
export interface CallerRoute extends RouteBase {
  access: 'caller'
  scope: Scope | null
  /** Only staff find it: to every other caller there is no such route (ADR 0020). */
  staff?: true
  run: (ctx: Context, asked: Asked) => Promise<Answered>
}

/** Open to everyone: only the webhook, which its signature protects. */
export interface PublicRoute extends RouteBase {
  access: 'public'
  run: (ctx: Context, input: unknown) => Promise<Outcome>
}

export type Route = CallerRoute | PublicRoute

const parseNothing = requestParser(Type.Object({}, { additionalProperties: false }))

/**
 * For routes that take no body: nothing, or an object without a field. What would be passed over
 * in silence is refused, for its sender believes that it does something (api-rules.md#actions).
 */
export function refuseInput(input: unknown): void {
  if (input !== undefined) parseNothing(input)
}

export const found = (body: object | undefined): Outcome =>
  body === undefined ? problem('not_found') : replied(200, body)
