// Checked by the compiler in `npm run check`: this file does not compile if types of the SDK differ
// from what it promises or from what the service builds.
import type {
  AnyProblemCode,
  ChargeInput,
  Client,
  EventData,
  GapuraError,
  Pages,
  Payment,
  PaymentListQuery,
  PaymentSummary,
  PaymentType,
  Problem,
  ProblemCode,
  Refund,
  Refunded,
  RefundInput,
  StatusChecked,
  TransactionStatus,
  UnclearError,
} from '@gapura/sdk'
import { expectTypeOf, test } from 'vitest'
import type { ErrorCode } from '../../packages/service/src/domain/error_catalogue.ts'
import type { PaymentStatus } from '../../packages/service/src/domain/payment_status.ts'
import type { ProblemCode as OtherCode } from '../../packages/service/src/domain/problems.ts'
import type { PaymentPage } from '../../packages/service/src/http/payments.ts'
import type {
  PaymentRepresentation,
  RefundRepresentation,
} from '../../packages/service/src/domain/payment_representation.ts'
import type { SignalEnvelope } from '../../packages/service/src/domain/signal_envelope.ts'
import type { Problem as ServiceProblem } from '../../packages/service/src/services/problem.ts'

type Result<Method extends (...given: never[]) => unknown> = Awaited<ReturnType<Method>>
type Payments = Client['payments']
type Summary = PaymentPage['results'][number]

test('parameters and results of methods', () => {
  expectTypeOf<Result<Payments['create']>>().toEqualTypeOf<Payment>()
  expectTypeOf<Result<Payments['get']>>().toEqualTypeOf<Payment>()
  expectTypeOf<Result<Payments['checkStatus']>>().toEqualTypeOf<StatusChecked>()
  expectTypeOf<Result<Payments['refund']>>().toEqualTypeOf<Refunded>()
  expectTypeOf<ReturnType<Payments['list']>>().toEqualTypeOf<Pages<PaymentSummary>>()
  expectTypeOf<Parameters<Payments['list']>[0]>().toEqualTypeOf<PaymentListQuery | undefined>()
  expectTypeOf<Parameters<Payments['refund']>[1]>().toEqualTypeOf<RefundInput>()
  expectTypeOf<Payment['transaction_status']>().toEqualTypeOf<TransactionStatus>()
  expectTypeOf<Refund['status']>().toEqualTypeOf<'pending' | 'succeeded' | 'failed'>()
  expectTypeOf<Refunded['payment']>().toEqualTypeOf<Payment>()
})

test('fields of errors', () => {
  expectTypeOf<GapuraError['code']>().toEqualTypeOf<AnyProblemCode>()
  expectTypeOf<UnclearError['definite']>().toEqualTypeOf<false>()
  expectTypeOf<UnclearError['idempotencyKey']>().toEqualTypeOf<string>()
})

test('the types equal those of the service, including optional fields', () => {
  expectTypeOf<ProblemCode>().toEqualTypeOf<ErrorCode | OtherCode>()
  expectTypeOf<TransactionStatus>().toEqualTypeOf<PaymentStatus>()
  expectTypeOf<PaymentType>().toEqualTypeOf<PaymentRepresentation['payment_type']>()
  expectTypeOf<keyof Payment>().toEqualTypeOf<keyof PaymentRepresentation>()
  expectTypeOf<keyof PaymentSummary>().toEqualTypeOf<keyof Summary>()
  expectTypeOf<keyof Problem>().toEqualTypeOf<keyof ServiceProblem>()
})

// The service's types are assignable to the SDK's.
export const asPayment = (value: PaymentRepresentation): Payment => ({
  ...value,
  payer_instructions: [...value.payer_instructions],
})
export const asRefund = (value: RefundRepresentation): Refund => value
export const asEventData = (
  value: SignalEnvelope<'subscription_charged'>,
): EventData<'subscription_charged'> => value
export const asSummary = (value: Summary): PaymentSummary => value
export const asProblem = (value: ServiceProblem): Problem => ({
  ...value,
  errors: [...value.errors],
})

// The compiler must refuse each of these.
export const refused = (client: Client): ChargeInput[] => {
  // @ts-expect-error: there is no such payment type
  const unknown: ChargeInput = { payment_type: 'shells', gross_amount: 1 }
  // @ts-expect-error: an amount is needed
  const without: ChargeInput = { payment_type: 'qris' }
  // @ts-expect-error: a bank transfer needs a bank
  const bankless: ChargeInput = { payment_type: 'bank_transfer', gross_amount: 1 }
  // @ts-expect-error: there is no such bank
  const misspelt: ChargeInput = { payment_type: 'bank_transfer', bank: 'bcaa', gross_amount: 1 }
  // @ts-expect-error: a QRIS charge takes no card token
  const mixed: ChargeInput = { payment_type: 'qris', token_id: 'a', gross_amount: 1 }
  // @ts-expect-error: OVO needs a phone number, the payer's or the customer's
  const unreachable: ChargeInput = { payment_type: 'ovo', gross_amount: 1 }
  const customer_details = { phone: '081234567890' }
  const reachable: ChargeInput = { payment_type: 'ovo', gross_amount: 1, customer_details }
  const billed = { customer_name: 'Ani', customer_email: 'a@b.id', due_date: '2099-12-31' }
  const items = [{ description: 'Tea', price: 1 }]
  void client.invoices.create({ ...billed, items })
  // @ts-expect-error: an invoice by virtual account names its accounts
  void client.invoices.create({ ...billed, items, payment_type: 'virtual_account' })
  const plan = { name: 'tea', amount: 1, token: 't' }
  void client.subscriptions.create({ ...plan, payment_type: 'credit_card' })
  // @ts-expect-error: a linked wallet names its account
  void client.subscriptions.create({ ...plan, payment_type: 'gopay' })
  // @ts-expect-error: a filter must not be misspelt, or it would answer with everything
  client.payments.list({ stauts: 'pending' })
  // @ts-expect-error: a refund has an amount
  void client.payments.refund('id', {})
  // @ts-expect-error: reads carry no key
  void client.payments.get('id', { idempotencyKey: 'a' })
  return [unknown, without, bankless, misspelt, mixed, unreachable, reachable]
}
