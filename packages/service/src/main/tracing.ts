// OpenTelemetry through its API alone: without an SDK in the process every call below does nothing.
// The SDK, the exporter and the sampling are the host's.
import {
  context,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace as otel,
  type Span,
} from '@opentelemetry/api'
import { GatewayError } from '../domain/errors.ts'
import type { StepAttributes, Trace, TraceStep } from '../domain/telemetry.ts'
import { RequestProblem } from '../services/problem.ts'

// A proxy: it takes up a provider that is registered later.
const tracer = otel.getTracer('gapura')

/** The API's own provider has no tracer behind it until an SDK is registered. */
function isTraced(): boolean {
  const provider = otel.getTracerProvider()
  return (
    !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('gapura') !== undefined
  )
}

const learnNothing = (): void => undefined

/** Runs the work as a span. Attributes are codes and patterns; no message, no id, no body. */
export const traced: Trace = async (step, work) => {
  if (!isTraced()) return await work(learnNothing)
  const host = otel.getActiveSpan()
  const parent =
    step.headers !== undefined && host === undefined
      ? propagation.extract(context.active(), step.headers)
      : context.active()
  const { name, attributes } = step
  const options = { kind: kindOf(step, host), attributes: { ...attributes } }
  return await tracer.startActiveSpan(name, options, parent, async (span) => {
    let status: number | undefined
    const failed = (type: string): void => {
      // To a server a 4xx is the caller's error, not its own; to a client it is one.
      if (step.kind === 'server' && status !== undefined && status < SERVER_ERROR) return
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', type)
    }
    try {
      const result = await work((learnt) => {
        status = statusIn(learnt) ?? status
        span.setAttributes({ ...learnt })
      })
      if (status !== undefined && status >= SERVER_ERROR) failed(String(status))
      return result
    } catch (error) {
      failed(typeOf(error))
      throw error
    } finally {
      span.end()
    }
  })
}

const SERVER_ERROR = 500

function statusIn(learnt: StepAttributes): number | undefined {
  const status = learnt['http.response.status_code']
  return typeof status === 'number' ? status : undefined
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

/** Inside a host whose own server is traced, a request of ours is a part of its. */
const kindOf = ({ kind }: TraceStep, host: Span | undefined): SpanKind =>
  kind === 'server' && host !== undefined ? SpanKind.INTERNAL : KINDS[kind]

/** A code of the catalogue or the name of a class; messages may quote anything. */
function typeOf(error: unknown): string {
  if (error instanceof GatewayError || error instanceof RequestProblem) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
