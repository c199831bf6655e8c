import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { PAYMENT_TYPE_WIRE, type ChargeRequest } from './payment_types.ts'
import type { Parse } from './shape.ts'

export type { ChargeRequest } from './payment_types.ts'

const parsers = new Map<unknown, Parse<ChargeRequest>>(
  PAYMENT_TYPES.map((type) => [type, PAYMENT_TYPE_WIRE[type].parseRequest]),
)

/** A charge body whose fields the gateway all knows, or undefined. */
export const parseChargeRequest = (
  payload: Readonly<Record<string, unknown>>,
): ChargeRequest | undefined => parsers.get(payload['payment_type'])?.(payload)

export const isChargeRequest = (payload: ChargeRequest): boolean =>
  parsers.get(payload.payment_type)?.(payload) !== undefined
