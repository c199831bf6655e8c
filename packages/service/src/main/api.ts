import type { Caller } from '../domain/caller.ts'
import { listPage, type PaymentPage } from '../http/payment_list.ts'
import type { CallerRoute } from '../http/route.ts'
import * as routes from '../http/routes.ts'
import type { StatusChecked } from '../services/payments/check_status.ts'
import type { PaymentRepresentation, representRefund } from '../services/payments/representation.ts'
import { has, lister, performer, type CallWith, type List } from './api_calls.ts'
import type { Parts } from './compose.ts'
import { invoiceApi, type InvoiceApi } from './invoice_api.ts'
import { subscriptionApi, type SubscriptionApi } from './subscription_api.ts'

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
export interface GapuraApi extends InvoiceApi, SubscriptionApi {
  createCharge: (
    caller: Caller,
    input: unknown,
    options?: CallWith,
  ) => Promise<PaymentRepresentation>
  getPayment: (caller: Caller, id: string) => Promise<PaymentRepresentation>
  listPayments: List<PaymentPage>
  checkStatus: (caller: Caller, id: string) => Promise<StatusChecked>
  cancelPayment: Act
  expirePayment: Act
  refundPayment: (...parameters: Parameters<ActOn>) => Promise<Refunded>
  capturePayment: ActOn
  approvePayment: Act
  denyPayment: Act
}

export function createApi({ ctx, ready }: Parts): GapuraApi {
  const perform = performer({ ctx, ready })
  const list = lister({ ctx, ready })
  const act =
    (route: CallerRoute): Act =>
    async (caller, id, options) =>
      await perform(route, isPayment, { caller, id, options })
  return {
    createCharge: async (caller, input, options) =>
      await perform(routes.createChargeRoute, isPayment, { caller, input, options }),
    getPayment: async (caller, id) =>
      await perform(routes.getPaymentRoute, isPayment, { caller, id }),
    listPayments: list(listPage),
    checkStatus: async (caller, id) =>
      await perform(routes.checkStatusRoute, isChecked, { caller, id }),
    cancelPayment: act(routes.cancelPaymentRoute),
    expirePayment: act(routes.expirePaymentRoute),
    refundPayment: async (caller, id, input, options) =>
      await perform(routes.refundPaymentRoute, isRefunded, { caller, id, input, options }),
    capturePayment: async (caller, id, input, options) =>
      await perform(routes.capturePaymentRoute, isPayment, { caller, id, input, options }),
    approvePayment: act(routes.approvePaymentRoute),
    denyPayment: act(routes.denyPaymentRoute),
    ...invoiceApi(perform, list),
    ...subscriptionApi(perform, list),
  }
}

const isPayment = (value: unknown): value is PaymentRepresentation => has(value, 'order_id')
const isChecked = (value: unknown): value is StatusChecked => has(value, 'gateway_response')
export const isRefunded = (value: unknown): value is Refunded => has(value, 'refund')
