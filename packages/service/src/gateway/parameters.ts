// The arguments of the client's operations: in the order of the specification, or as one object by
// name. Both are checked here, because a caller in JavaScript has no compiler.
import { gatewayError, type GatewayError } from '../domain/errors.ts'
import { parseMoney, toWholeRupiah } from '../domain/money.ts'
import type { CallOptions } from './calls.ts'
import { isObject } from './json.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import type { SignedFields } from './signature.ts'

/** Whole rupiah as a number, or as a decimal string: `44000`, `'44000'` or `'44000.00'`. */
export type Amount = number | string

export interface CaptureParameters {
  transaction_id: string
  gross_amount: Amount
}

export interface RefundParameters {
  order_id: string
  refund_key: string
  amount: Amount
  reason?: string
}

export interface CardParameters {
  card_number: string
  card_exp_month: string
  card_exp_year: string
  client_key?: string
}

export interface CardTokenParameters extends CardParameters {
  card_cvv: string
}

export interface SignatureParameters extends SignedFields {
  signature_key: string
  server_key?: string
}

/** The one id that an operation takes, alone or by its name. */
export type Id<Name extends string> = string | { [Only in Name]: string }

/** The same for a payload. */
export type Payload<Body> = Body | { payload: Body }

type Named<Parameters> = [parameters: Parameters, options?: CallOptions]

export type CaptureArguments =
  | [transaction_id: string, gross_amount: Amount, options?: CallOptions]
  | Named<CaptureParameters>

export type RefundArguments =
  | [order_id: string, refund_key: string, amount: Amount, reason?: string, options?: CallOptions]
  | Named<RefundParameters>

export type CardTokenArguments =
  | [number: string, exp_month: string, exp_year: string, cvv: string, client_key?: string]
  | [parameters: CardTokenParameters]

export type CardArguments =
  | [card_number: string, card_exp_month: string, card_exp_year: string, client_key?: string]
  | [parameters: CardParameters]

export interface UpdateParameters<Body = object> {
  subscription_id: string
  payload: Body
}

export type UpdateArguments<Body> =
  | [subscription_id: string, payload: Body]
  | [parameters: UpdateParameters<Body>]

export type VoidArguments =
  | [invoice_id: string, void_reason?: string]
  | [parameters: { invoice_id: string; void_reason?: string }]

export type SignatureArguments =
  | [
      order_id: string,
      status_code: string,
      gross_amount: string,
      signature_key: string,
      server_key?: string,
    ]
  | [parameters: SignatureParameters]

/** `verify_signature` is local, so it is not among the operations of the wire. */
const SIGNATURE = ['order_id', 'status_code', 'gross_amount', 'signature_key', 'server_key=None']

interface Parameter {
  name: string
  required: boolean
}

const parametersOf = (operation: OperationName | 'verify_signature'): Parameter[] =>
  (operation === 'verify_signature' ? SIGNATURE : OPERATIONS[operation].parameters).map((text) => {
    const [name = ''] = text.split('=')
    return { name, required: name === text }
  })

interface Several {
  capture: CaptureParameters
  refund: RefundParameters
  direct_refund: RefundParameters
  get_card_token: CardParameters
  register_card: CardParameters
  update_subscription: UpdateParameters
  void_invoice: { invoice_id: string }
  verify_signature: SignatureParameters
}

/** Those that take one id, or one payload. */
export type SimpleOperation = Exclude<OperationName, keyof Several>

type ParametersOf<Operation> = Operation extends keyof Several
  ? Several[Operation]
  : Record<string, string>

/** What an operation was given, by name. Throws `invalid_request` with every fault. */
export function argumentsOf<Operation extends keyof Several | SimpleOperation>(
  operation: Operation,
  given: readonly unknown[],
): { parameters: ParametersOf<Operation>; options: CallOptions }
export function argumentsOf(
  operation: OperationName | 'verify_signature',
  given: readonly unknown[],
): { parameters: object; options: unknown } {
  const known = parametersOf(operation)
  const [first] = given
  const is_named = isObject(first) && (known[0]?.name !== 'payload' || 'payload' in first)
  const values = is_named
    ? first
    : Object.fromEntries(known.map(({ name }, index) => [name, given[index]]))
  const present = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  const parameters = Object.fromEntries(present)
  const errors = [
    ...known.flatMap((parameter) => faultsOf(operation, parameter, parameters[parameter.name])),
    ...present
      .filter(([name]) => !known.some((one) => one.name === name))
      .map(([field]) => ({ field: field.slice(0, NAME_LENGTH_MAX), message: 'unknown field' })),
  ]
  if (errors.length > 0) throw gatewayError('invalid_request', { operation, errors })
  return { parameters, options: given[is_named ? 1 : known.length] ?? {} }
}

/** The payload of an operation that takes nothing else. */
export function payloadOf<Body extends object>(
  operation: SimpleOperation,
  given: Payload<Body>,
): Body
export function payloadOf(operation: SimpleOperation, given: object): unknown {
  return argumentsOf(operation, [given]).parameters['payload']
}

export const missing = (operation: OperationName, field: string, where: string): GatewayError =>
  gatewayError('invalid_request', {
    operation,
    errors: [{ field, message: `is required ${where}` }],
  })

const NAME_LENGTH_MAX = 100

function faultsOf(operation: string, { name, required }: Parameter, value: unknown) {
  if (value === undefined) return required ? [{ field: name, message: 'is required' }] : []
  if (name === 'payload') {
    return isObject(value) ? [] : [{ field: name, message: 'must be an object' }]
  }
  const is_amount = name.endsWith('amount') && operation !== 'verify_signature'
  if (is_amount) return wholeRupiah(value) === undefined ? [{ field: name, message: AMOUNT }] : []
  return typeof value === 'string' ? [] : [{ field: name, message: 'must be text' }]
}

const AMOUNT = 'must be a positive number of whole rupiah, as 10000 or "10000.00"'

/** The form of amounts on the wire; undefined for zero, fractions of a rupiah and other types. */
export function wholeRupiah(amount: unknown): number | undefined {
  const money = parseMoney(amount)
  const whole = money === undefined ? undefined : toWholeRupiah(money)
  return whole !== undefined && whole > 0 ? whole : undefined
}
