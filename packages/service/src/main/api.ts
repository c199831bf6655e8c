import { ERRORS, type ErrorCode } from '../domain/error_catalogue.ts'
import { gatewayError } from '../domain/errors.ts'
import type { Caller } from '../domain/caller.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'
import { checkedCaller } from '../http/caller.ts'
import { refuseValue } from '../http/json_body.ts'
import { listPage, type PaymentPage } from '../http/payment_list.ts'
import { performRoute } from '../http/perform_route.ts'
import { requestIdOf } from '../http/request_id.ts'
import * as routes from '../http/routes.ts'
import { RequestProblem, type Problem } from '../services/problem.ts'
import type { StatusChecked } from '../services/payments/check_status.ts'
import type { PaymentRepresentation, representRefund } from '../services/payments/representation.ts'
import type { Reply } from '../services/requests.ts'
import { storeTrouble } from '../services/store_trouble.ts'
import type { Parts } from './compose.ts'

interface CallWith {
  idempotencyKey?: string
}

type Act = (caller: Caller, id: string, options?: CallWith) => Promise<PaymentRepresentation>
type ActOn = (
  caller: Caller,
  id: string,
  input: unknown,
  options?: CallWith,
) => Promise<PaymentRepresentation>

export interface Refunded {
  payment: PaymentRepresentation
  refund: ReturnType<typeof representRefund>
}

/**
 * The routes without HTTP: the same inputs, checks and bodies. A caller is always named, because
 * there is nobody a payment could belong to otherwise. Failures throw: a GatewayError, or a
 * RequestProblem for what HTTP would answer with 401 to 429.
 */
export interface GapuraApi {
  createCharge: (
    caller: Caller,
    input: unknown,
    options?: CallWith,
  ) => Promise<PaymentRepresentation>
  getPayment: (caller: Caller, id: string) => Promise<PaymentRepresentation>
  listPayments: (caller: Caller, query?: Readonly<Record<string, unknown>>) => Promise<PaymentPage>
  checkStatus: (caller: Caller, id: string) => Promise<StatusChecked>
  cancelPayment: Act
  expirePayment: Act
  refundPayment: (...parameters: Parameters<ActOn>) => Promise<Refunded>
  capturePayment: ActOn
  approvePayment: Act
  denyPayment: Act
}

export function createApi({ ctx, ready }: Parts): GapuraApi {
  const perform = async <Body>(
    route: routes.CallerRoute,
    is: (value: unknown) => value is Body,
    { caller, id = '', input, options = {} }: Call,
  ): Promise<Body> => {
    await ready()
    refuseValue(input)
    const outcome = await performRoute(ctx, route, {
      caller: checkedCaller(caller),
      request_id: requestIdOf(undefined),
      id,
      input,
      query: {},
      path: route.path,
      idempotency_key: options.idempotencyKey,
    })
    if (outcome.kind === 'problem') throw new RequestProblem(outcome.code)
    return bodyOf(outcome.reply, is)
  }
  const act =
    (route: routes.CallerRoute): Act =>
    async (caller, id, options) =>
      await told(perform(route, isPayment, { caller, id, options }))
  return {
    createCharge: async (caller, input, options) =>
      await told(perform(routes.createChargeRoute, isPayment, { caller, input, options })),
    getPayment: async (caller, id) =>
      await told(perform(routes.getPaymentRoute, isPayment, { caller, id })),
    listPayments: async (caller, query = {}) =>
      await told(ready().then(async () => await listPage(ctx, checkedCaller(caller), query))),
    checkStatus: async (caller, id) =>
      await told(perform(routes.checkStatusRoute, isChecked, { caller, id })),
    cancelPayment: act(routes.cancelPaymentRoute),
    expirePayment: act(routes.expirePaymentRoute),
    refundPayment: async (caller, id, input, options) =>
      await told(perform(routes.refundPaymentRoute, isRefunded, { caller, id, input, options })),
    capturePayment: async (caller, id, input, options) =>
      await told(perform(routes.capturePaymentRoute, isPayment, { caller, id, input, options })),
    approvePayment: act(routes.approvePaymentRoute),
    denyPayment: act(routes.denyPaymentRoute),
  }
}

interface Call {
  caller: Caller
  id?: string
  input?: unknown
  options?: CallWith | undefined
}

/** A database that is away is a failure of a kind here too, not the driver's. */
const told = async <Result>(work: Promise<Result>): Promise<Result> =>
  await work.catch((error: unknown) => {
    throw storeTrouble(error) ?? error
  })

// Bodies of our own making, written a moment ago or kept since: one field tells them apart.
const has = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value
const isPayment = (value: unknown): value is PaymentRepresentation => has(value, 'order_id')
const isChecked = (value: unknown): value is StatusChecked => has(value, 'gateway_response')
const isRefunded = (value: unknown): value is Refunded => has(value, 'refund')
const isProblem = (value: unknown): value is Problem => has(value, 'code')

function bodyOf<Body>({ code, body }: Reply, is: (value: unknown) => value is Body): Body {
  const value: unknown = JSON.parse(body)
  if (code >= 400 && isProblem(value)) throw failureOf(value)
  if (!is(value)) throw new TypeError('a reply of another route')
  return value
}

/** The failure a kept reply tells of, thrown as the first one was. */
function failureOf({ code, errors, payment_id, gateway, detail }: Problem): Error {
  if (isErrorCode(code)) {
    return gatewayError(code, {
      errors,
      ...(payment_id !== undefined && { payment_id }),
      ...(gateway && { gateway: { ...gateway, http_status: null } }),
    })
  }
  return new RequestProblem(isProblemCode(code) ? code : 'internal_error', detail)
}

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS
const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS
