import type { FieldFault } from '../../domain/charge_rules.ts'
import { parseMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { PAYMENT_TYPE } from '../../domain/payment_type.ts'
import type { IntervalUnit, RetryIntervalUnit } from '../../domain/subscription.ts'
import { parseZonedTime } from '../../domain/time.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import {
  SUBSCRIPTION_INPUT,
  SUBSCRIPTION_UPDATE,
  type SubscriptionInput,
} from './subscription_input.ts'

/** A subscription that passed every check that needs no gateway and no clock. */
export interface SubscriptionOrder extends Omit<SubscriptionInput, 'amount' | 'start_time'> {
  amount: Money
  interval: number
  interval_unit: IntervalUnit
  start_time: Date | null
  retry_interval: number
  retry_interval_unit: RetryIntervalUnit
  retry_max_interval: number
}

/** Smaller than one kilobyte (gateway-protocol.md#creating-a-subscription). */
const METADATA_BYTES_MAX = 1_023

const parseInput = requestParser(SUBSCRIPTION_INPUT)
const parseChange = requestParser(SUBSCRIPTION_UPDATE)

/**
 * Turns a request into a subscription, or throws `invalid_request` with every fault. Writes
 * nothing.
 */
export function parseSubscriptionOrder(input: unknown): SubscriptionOrder {
  const { amount: given, start_time: begins, ...rest } = parseInput(input)
  const amount = parseMoney(given)
  const start_time = begins === undefined ? null : (parseZonedTime(begins) ?? null)
  refuseFaults([
    ...amountFaults(amount),
    ...walletFaults(rest),
    ...(begins !== undefined && start_time === null ? [startFault('that names its zone')] : []),
    ...metadataFaults(rest.metadata),
    // What is refused cannot be stored, logged or sent on (ADR 0019).
    ...secretFaults(rest, ['token']),
  ])
  return {
    ...rest,
    amount: amount ?? 0n,
    interval: rest.interval ?? 1,
    interval_unit: rest.interval_unit ?? 'month',
    start_time,
    // The gateway's default, "three times, hourly" (gateway-protocol.md#subscription-schedules), is
    // sent explicitly.
    retry_interval: rest.retry_interval ?? 1,
    retry_interval_unit: rest.retry_interval_unit ?? 'hour',
    retry_max_interval: rest.retry_max_interval ?? 3,
  }
}

/**
 * A start that is too near would pass between two sends of the same order, and the gateway would
 * refuse the second although the first was carried out.
 */
const START_AHEAD_MS = 5 * 60_000

/**
 * The first charge must be in the future (gateway-protocol.md#subscription-schedules), by the
 * database's clock, which all processes share.
 */
export function refuseNearStart({ start_time }: SubscriptionOrder, now: Date): void {
  if (start_time === null || start_time.getTime() >= now.getTime() + START_AHEAD_MS) return
  refuseFaults([startFault('at least five minutes ahead')])
}

const startFault = (what: string): FieldFault => ({
  field: 'start_time',
  message: `must be an ISO 8601 ${what}, as 2027-01-31T00:00:00Z`,
})

function amountFaults(amount: Money | undefined): FieldFault[] {
  const whole = amount !== undefined && amount > 0n && toWholeRupiah(amount) !== undefined
  return whole ? [] : [{ field: 'amount', message: 'must be a positive number of whole rupiah' }]
}

function walletFaults({ payment_type, gopay }: Pick<SubscriptionInput, 'payment_type' | 'gopay'>) {
  const wallet = PAYMENT_TYPE[payment_type].linkable
  if (wallet === (gopay !== undefined)) return []
  const message = wallet ? 'required: the linked account' : 'only for gopay'
  return [{ field: 'gopay', message }]
}

const metadataFaults = (metadata: SubscriptionInput['metadata'] = {}): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX
    ? [{ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` }]
    : []

/** The fields that an update changes. */
export interface SubscriptionChanges {
  name?: string
  amount?: Money
  interval?: number
  retry_interval?: number
  retry_interval_unit?: RetryIntervalUnit
  retry_max_interval?: number
}

export function parseSubscriptionChanges(input: unknown): SubscriptionChanges {
  const { amount: given, ...rest } = parseChange(input)
  const amount = given === undefined ? undefined : parseMoney(given)
  refuseFaults([...(given === undefined ? [] : amountFaults(amount)), ...secretFaults(rest)])
  if (amount === undefined && Object.keys(rest).length === 0) {
    refuseFaults([{ field: 'body', message: 'must name at least one field to change' }])
  }
  return { ...rest, ...(amount !== undefined && { amount }) }
}
