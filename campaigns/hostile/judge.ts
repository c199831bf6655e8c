// The judgement over one answer: one sentence for each fault, none for a correct answer.
import { ERRORS } from '../../packages/service/src/domain/error_catalogue.ts'
import { PROBLEMS } from '../../packages/service/src/domain/problems.ts'
import type { Answer } from './answers.ts'
import type { HostileInput } from './input.ts'
import type { Heard } from './lines.ts'

export interface JudgeOptions {
  /** What must appear in no answer. */
  secrets: readonly string[]
}

type Problem = Record<string, unknown>

const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => typeof value === 'string' && value.startsWith('urn:gapura:problem:'),
  title: (value) => typeof value === 'string' && value !== '',
  status: (value) => typeof value === 'number',
  detail: (value) => typeof value === 'string',
  code: (value) => typeof value === 'string' && (value in ERRORS || value in PROBLEMS),
  errors: Array.isArray,
  retryable: (value) => typeof value === 'boolean',
  request_id: (value) => typeof value === 'string' && value !== '',
}
const MORE = new Set(['gateway', 'payment_id', 'invoice_id', 'subscription_id'])

/** Patterns of a stack trace, a statement or a driver's message. */
const INTERNALS = [
  /\bat (?:async )?[\w.<>]+ \(?(?:file|node|\/)[^)\s]*:\d+/,
  /node_modules|\.ts:\d+|node:internal/,
  /\b(?:select|insert into|update|delete from)\s[^"]{0,200}\b(?:gapura|gateway_)\w*/i,
  /violates \w+ constraint|duplicate key value|invalid byte sequence|syntax error at|relation "/,
  /postgres(?:ql)?:\/\//,
]

/** The documented answers when the gateway is unreachable or its answer is unreadable. */
export const GATEWAY_DOWN: ReadonlySet<string> = new Set([
  'gateway_unavailable',
  'gateway_rate_limited',
  'gateway_failed',
  'gateway_authentication_failed',
  'outcome_unknown',
  'outcome_not_recorded',
])

/** Everything wrong with the answer to an input. */
export function judge(input: HostileInput, heard: Heard, { secrets }: JudgeOptions): string[] {
  if (typeof heard === 'string') {
    const excused = input.alone === true && input.silence_allowed === true
    return excused ? [] : [`no answer: ${heard}`]
  }
  const { status } = heard
  const faults: string[] = []
  if (status < 300 && input.invalid !== null) faults.push(`${status} for what is invalid`)
  if (status >= 300 && status < 400) faults.push(`${status}: nothing is redirected`)
  if (status >= 400) faults.push(...problemFaults(input, heard))
  faults.push(...leaksOf(input, heard.body, secrets))
  return faults
}

function problemFaults({ category }: HostileInput, { status, headers, body }: Answer): string[] {
  const type = headers.get('content-type') ?? 'none'
  if (!type.startsWith('application/problem+json')) return [`${status} of the type ${type}`]
  const problem = parsed(body)
  if (problem === undefined) return [`${status} without a JSON object`]
  const faults = [...shapeFaults(problem, status)]
  const code = String(problem['code'])
  const down = category === 'gateway' && GATEWAY_DOWN.has(code)
  if (status >= 500 && !down) faults.push(`${status} ${code}`)
  // Our own refusals call no gateway. The gateway's refusals are 4xx as well, and are marked as
  // such.
  const calls = Number(headers.get('x-gateway-calls') ?? '0')
  if (status < 500 && calls > 0 && stageOf(code) === 'before')
    faults.push(`${status} ${code} after ${calls} calls of the gateway`)
  return faults
}

function* shapeFaults(problem: Problem, status: number): Generator<string> {
  for (const [name, fits] of Object.entries(MEMBERS)) {
    if (!fits(problem[name])) yield `a problem whose ${name} is ${JSON.stringify(problem[name])}`
  }
  for (const name of Object.keys(problem)) {
    if (!(name in MEMBERS) && !MORE.has(name)) yield `a problem with a member ${name}`
  }
  if (problem['status'] !== status) yield `a problem that says ${String(problem['status'])}`
}

/** An action on an object may have looked it up at the gateway first. */
const stageOf = (code: string): string =>
  code in PROBLEMS ? 'before' : ERRORS[code as keyof typeof ERRORS].stage

function parsed(body: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Problem)
      : undefined
  } catch {
    return undefined
  }
}

/** The name of a field that the client sent may come back; anything else is ours. */
function* leaksOf(input: HostileInput, body: string, secrets: readonly string[]) {
  for (const secret of secrets) if (body.includes(secret)) yield 'a secret in the answer'
  for (const pattern of INTERNALS) {
    const found = pattern.exec(body)?.[0]
    if (found !== undefined && !input.bytes.includes(found.slice(0, 20)))
      yield `something of the inside in the answer: ${found.slice(0, 60)}`
  }
}
