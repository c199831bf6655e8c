import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../domain/caller.ts'
import { RequestProblem } from '../services/problem.ts'
import { authenticated, type Authenticate } from './caller.ts'
import { CallerLimits, GuessLimits, type Allowance, type LimitSettings } from './limits.ts'
import { sourceAddress } from './source_address.ts'

/** Finds out who is calling and whether she may go on. Throws 401 or 429. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

interface AdmissionOptions {
  authenticate: Authenticate
  original: (request: FastifyRequest) => { url: string; native: unknown }
  limits?: LimitSettings
  now: () => number
}

/** The door of one process: its counts are its own (ADR 0021). */
export function admission({ authenticate, original, limits = {}, now }: AdmissionOptions): Admit {
  const callers = new CallerLimits(limits)
  const guesses = new GuessLimits(limits)
  const { trusted_proxies = 0 } = limits

  const known = async (request: FastifyRequest): Promise<Caller> => {
    const { method, headers, raw } = request
    const asked = { method, headers, ...original(request) }
    const credential = headers.authorization
    // Without one nothing is guessed, and nothing is looked up.
    if (credential === undefined) return await authenticated(authenticate, asked)
    const forwarded = headers['x-forwarded-for']
    const address = sourceAddress(raw.socket.remoteAddress, forwarded, trusted_proxies)
    const wait_s = guesses.refused(address, credential, now())
    if (wait_s !== undefined) throw tooMany('Too many unknown credentials came from here.', wait_s)
    try {
      const caller = await authenticated(authenticate, asked)
      guesses.succeeded(credential)
      return caller
    } catch (error) {
      const unknown = error instanceof RequestProblem && error.code === 'unauthenticated'
      if (unknown) guesses.failed(address, now())
      throw error
    }
  }

  return async (request, reply) => {
    const caller = await known(request)
    const admitted = callers.admit(caller.owner_id, now())
    if (admitted.allowance !== null) reply.headers(headersOf(admitted.allowance))
    if (!admitted.admitted) throw tooMany(WHY[admitted.why], admitted.retry_after_s)
    // Whether it was answered or its client has gone; `finish` for hosts that never close.
    reply.raw.once('close', admitted.leave)
    reply.raw.once('finish', admitted.leave)
    // A client that went away while its credential was looked up sends no further close event.
    if (reply.raw.destroyed) admitted.leave()
    return caller
  }
}

const WHY = {
  rate: 'The requests of this minute are used up.',
  at_once: 'Too many requests of yours are under way.',
} as const

const tooMany = (why: string, retry_after_s: number): RequestProblem =>
  new RequestProblem('too_many_requests', `${why} Send it again after the time in Retry-After.`, {
    retry_after_s,
  })

/** draft-ietf-httpapi-ratelimit-headers: the quota and its window, what is left and until when. */
const headersOf = ({ limit, remaining, reset_s }: Allowance): Record<string, string> => ({
  'ratelimit-policy': `"caller";q=${limit};w=60`,
  ratelimit: `"caller";r=${remaining};t=${reset_s}`,
})
