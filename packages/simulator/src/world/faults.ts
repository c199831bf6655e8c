import type { Fields } from '../wire/fields.ts'
import { fieldsAt, integerAt, textAt } from '../wire/fields.ts'
import type { Random } from './random.ts'

export const CALL_FAULTS = [
  'delay',
  'timeout_before',
  'timeout_after',
  'drop_before',
  'drop_after',
  'status',
  'html',
  'truncated_json',
  'wrong_types',
  'rate_limited',
  'still_running',
  'redirect',
  'over_long',
] as const

/** Of a page of the transaction history: the reply is well-formed, its lines are not the right ones. */
export const LIST_FAULTS = ['repeated_lines', 'shifted_page'] as const

export const NOTIFICATION_FAULTS = [
  'lost',
  'doubled',
  'reordered',
  'late',
  'early',
  'forged',
  'muted',
] as const

type CallFault = (typeof CALL_FAULTS)[number]
type NotificationFault = (typeof NOTIFICATION_FAULTS)[number]
type ListFault = (typeof LIST_FAULTS)[number]
export type FaultEffect = CallFault | NotificationFault | ListFault

/** One fault, and the calls or notifications it applies to. */
export interface FaultRule {
  id: string
  effect: FaultEffect
  operation: string | undefined
  order_id_prefix: string | undefined
  transaction_status: string | undefined
  /** How many more times it applies; null: without limit. */
  times: number | null
  probability: number
  /** Of the effect: ms, seconds, http_status, body, retry_after, location, bytes, after. */
  options: Fields
  struck: number
}

interface Subject {
  operation: string
  order_id: string | undefined
  transaction_status?: string
}

const isCallFault = (effect: string): effect is CallFault =>
  CALL_FAULTS.some((known) => known === effect)

const isNotificationFault = (effect: string): effect is NotificationFault =>
  NOTIFICATION_FAULTS.some((known) => known === effect)

const isListFault = (effect: string): effect is ListFault =>
  LIST_FAULTS.some((known) => known === effect)

const isFault = (effect: string): effect is FaultEffect =>
  isCallFault(effect) || isNotificationFault(effect) || isListFault(effect)

/** Rules in the order of addition; the first match applies, and the seed decides its chance. */
export class Faults {
  #rules = new Map<string, FaultRule>()
  #count = 0
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Adds a rule from a control request, or says what is wrong with it. */
  add(body: Fields): FaultRule | string {
    const effect = textAt(body, 'effect') ?? ''
    if (!isFault(effect)) {
      const known = [...CALL_FAULTS, ...NOTIFICATION_FAULTS, ...LIST_FAULTS]
      return `effect must be one of ${known.join(', ')}`
    }
    const probability = body['probability'] ?? 1
    if (typeof probability !== 'number' || !(probability > 0 && probability <= 1)) {
      return 'probability must be above 0 and at most 1'
    }
    const match = fieldsAt(body, 'match')
    this.#count += 1
    const rule: FaultRule = {
      id: `fault-${this.#count}`,
      effect,
      operation: textAt(match, 'operation'),
      order_id_prefix: textAt(match, 'order_id_prefix'),
      transaction_status: textAt(match, 'transaction_status'),
      times: integerAt(body, 'times') ?? null,
      probability,
      options: fieldsAt(body, 'options'),
      struck: 0,
    }
    this.#rules.set(rule.id, rule)
    return rule
  }

  list(): FaultRule[] {
    return [...this.#rules.values()]
  }

  remove(id: string): boolean {
    return this.#rules.delete(id)
  }

  clear(): void {
    this.#rules.clear()
  }

  /** The fault that applies to this call, if any; reduces its count. */
  forCall(subject: Subject): FaultRule | undefined {
    return this.#pick(subject, isCallFault)
  }

  /** The fault that applies to this notification, if any; reduces its count. */
  forNotification(subject: Subject): FaultRule | undefined {
    return this.#pick(subject, isNotificationFault)
  }

  /** The fault that applies to this page of a list, if any; reduces its count. */
  forList(subject: Subject): FaultRule | undefined {
    return this.#pick(subject, isListFault)
  }

  #pick(subject: Subject, wanted: (effect: string) => boolean): FaultRule | undefined {
    // The usual case, on every call: no rule, no work, no random number drawn.
    if (this.#rules.size === 0) return undefined
    for (const rule of this.#rules.values()) {
      if (!wanted(rule.effect) || rule.times === 0 || !matches(rule, subject)) continue
      if (rule.probability < 1 && this.#random.fraction() >= rule.probability) continue
      rule.struck += 1
      if (rule.times !== null) rule.times -= 1
      return rule
    }
    return undefined
  }
}

function matches(rule: FaultRule, { operation, order_id, transaction_status }: Subject): boolean {
  if (rule.operation !== undefined && rule.operation !== operation) return false
  if (rule.order_id_prefix !== undefined && order_id?.startsWith(rule.order_id_prefix) !== true)
    return false
  return rule.transaction_status === undefined || rule.transaction_status === transaction_status
}
