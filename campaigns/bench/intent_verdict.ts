// Effects of each intent, by the gateway's own records: exactly one after a success, none after a
// refusal, at most one without a definite answer. Our database is not read.
import type { GatewayEffects, GatewayStep, GatewayTransaction } from './gateway_effects.ts'
import { outcomeOf, type Intent, type IntentKind, type IntentOutcome } from './intents.ts'
import { faulty } from './verdict.ts'

interface Effect {
  /** The order, invoice or subscription it was made of. */
  of: string
  amount: number | null
}

/** What the gateway records as the cause of a step that an API call made. */
const CAUSES: Partial<Record<IntentKind, { cause: string; status: string }>> = {
  capture: { cause: 'capture', status: 'capture' },
  approve: { cause: 'approve', status: 'capture' },
  deny: { cause: 'deny', status: 'deny' },
  cancel: { cause: 'cancel', status: 'cancel' },
  expire: { cause: 'expire', status: 'expire' },
}

const CHANGES: Partial<Record<IntentKind, string>> = {
  disable_subscription: 'disable',
  enable_subscription: 'enable',
  cancel_subscription: 'cancel',
}

/** Refunds made on the gateway's own dashboard belong to no intent. */
const DASHBOARD_REFUND = /^dashboard-/

/** The gateway's records, found by the intent id in them or by the object acted on. */
class EffectIndex {
  readonly #created = new Map<string, Effect[]>()
  readonly #transactions: ReadonlyMap<string, GatewayTransaction[]>
  readonly #changes: ReadonlyMap<string, readonly { change: string }[]>
  /** Made through the API, but by none of the intents. */
  readonly foreign: string[] = []

  constructor(effects: GatewayEffects, known: ReadonlySet<string>) {
    const { transactions, invoices, subscriptions } = effects
    for (const { origin, order_id, charged_amount, custom, refunds } of transactions) {
      if (origin === 'charge')
        this.#add(known, custom.metadata?.['intent_id'], { of: order_id, amount: charged_amount })
      for (const { refund_key, reason, amount } of refunds) {
        if (!DASHBOARD_REFUND.test(refund_key)) this.#add(known, reason, { of: order_id, amount })
      }
    }
    for (const { order_id, notes } of invoices)
      this.#add(known, notes, { of: order_id, amount: null })
    for (const { id, metadata } of subscriptions)
      this.#add(known, metadata['intent_id'], { of: id, amount: null })
    this.#transactions = Map.groupBy(transactions, ({ order_id }) => order_id)
    this.#changes = new Map(subscriptions.map(({ id, changes }) => [id, changes]))
  }

  #add(known: ReadonlySet<string>, intent_id: unknown, effect: Effect): void {
    if (typeof intent_id !== 'string' || !known.has(intent_id)) this.foreign.push(effect.of)
    else this.#created.set(intent_id, [...(this.#created.get(intent_id) ?? []), effect])
  }

  /** Effects of a creation or a refund, by the intent id in them. */
  createdBy({ id }: Intent): Effect[] {
    return this.#created.get(id) ?? []
  }

  /** Effects of calls of this kind on an order or a subscription, of any intent. */
  madeOf(kind: IntentKind, target: string): Effect[] {
    const change = CHANGES[kind]
    if (change !== undefined) {
      const changes = this.#changes.get(target) ?? []
      const same = changes.filter((one) => one.change === change)
      return same.map(() => ({ of: target, amount: null }))
    }
    const cause = CAUSES[kind]?.cause
    return this.#steps(target, (step) => step.cause === cause).map(({ captured }) => ({
      of: target,
      amount: kind === 'capture' ? captured : null,
    }))
  }

  /** Whether the order reached the action's status by another way: the dashboard, or time. */
  reached({ kind, target }: Intent): boolean {
    const status = CAUSES[kind]?.status
    return status !== undefined && this.#steps(target, (step) => step.status === status).length > 0
  }

  /** One entry, its transaction, for each step that fits. */
  #steps(target: string | null, fits: (step: GatewayStep) => boolean): GatewayTransaction[] {
    const transactions = this.#transactions.get(target ?? '') ?? []
    return transactions.flatMap((one) => one.history.filter(fits).map(() => one))
  }
}

/** These carry no intent id to the gateway: their effects are found by what they act on. */
const isByTarget = ({ kind }: Intent): boolean => kind in CAUSES || kind in CHANGES

/**
 * The effects of each intent. Several intents of one kind may act on one order: effects go to those
 * that were not refused, by their amount, and the rest to the first of them, as doubles.
 */
function assign(shared: readonly Intent[][], index: EffectIndex): Map<Intent, Effect[]> {
  const made = new Map<Intent, Effect[]>()
  for (const same of shared)
    for (const intent of same)
      made.set(intent, isByTarget(intent) ? [] : same.flatMap((one) => index.createdBy(one)))
  const groups = Map.groupBy(
    shared.flat().filter(isByTarget),
    ({ kind, target }) => `${kind} ${target ?? ''}`,
  )
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const of = (outcome: IntentOutcome) => group.filter((one) => outcomeOf(one) === outcome)
    const open = [...of('done'), ...of('unclear')]
    const takers = open.length > 0 ? open : group
    const left = [...takers]
    for (const effect of index.madeOf(first.kind, first.target ?? '')) {
      const fits = left.findIndex(({ amount }) => amount === (effect.amount ?? amount))
      const [taker = takers[0] ?? first] = left.splice(Math.max(fits, 0), 1)
      made.get(taker)?.push(effect)
    }
  }
  return made
}

/** Each alone, but refunds that wait in one request are made once for all of them. */
function sharing(intents: readonly Intent[]): Intent[][] {
  // By the refund that an answer names, for a caller who never heard of the request.
  const requests = new Map(
    intents.flatMap(({ held_in, answers }) =>
      answers.map(({ refund_id }) => [held_in === null ? null : refund_id, held_in] as const),
    ),
  )
  const requestOf = ({ kind, held_in, answers }: Intent): string | null | undefined => {
    if (held_in !== null || kind !== 'approved_refund') return held_in
    const refund_id = answers.find((one) => one.refund_id !== null)?.refund_id
    return refund_id === undefined ? null : requests.get(refund_id)
  }
  const placeOf = (intent: Intent): string => {
    const { id, target, amount, caller } = intent
    const request = requestOf(intent)
    return request ? JSON.stringify([request, target, amount, caller.owner_id]) : id
  }
  return [...Map.groupBy(intents, placeOf).values()]
}

/** An answer to one of the refunds that share a request is about all of them. */
function outcomesOf(shared: readonly Intent[][]): Map<Intent, IntentOutcome> {
  const judged = shared.flatMap((same) => {
    const outcomes = new Set(same.map(outcomeOf))
    const common = (['done', 'unclear'] as const).find((one) => outcomes.has(one)) ?? 'refused'
    return same.map((intent) => [intent, common] as const)
  })
  return new Map(judged)
}

/** Every broken promise as a sentence; empty if each intent had the effect its answers name. */
export function judgeIntents(intents: readonly Intent[], effects: GatewayEffects): string[] {
  const index = new EffectIndex(effects, new Set(intents.map(({ id }) => id)))
  const broken = {
    'had more than one effect at the gateway': [] as Broken[],
    'were acknowledged without an effect at the gateway': [] as Broken[],
    'were refused and carried out by the gateway': [] as Broken[],
    'had an effect of another amount': [] as Broken[],
    'were answered with another order than the effect has': [] as Broken[],
  }
  const shared = sharing(intents)
  const outcomes = outcomesOf(shared)
  for (const [intent, made] of assign(shared, index)) {
    const { kind } = intent
    const outcome = outcomes.get(intent)
    const note = (promise: keyof typeof broken, more = ''): void => {
      broken[promise].push({ kind, name: `${nameOf(intent, made)}${more}` })
    }
    if (made.length > 1) note('had more than one effect at the gateway', `: ${made.length}`)
    if (made.length > 0 && outcome === 'refused')
      note('were refused and carried out by the gateway')
    if (made.length === 0 && owes(intent, effects) && !index.reached(intent))
      note('were acknowledged without an effect at the gateway')
    const [first] = made
    if (first === undefined || made.length > 1) continue
    const { amount } = first
    if (intent.amount !== null && amount !== null && intent.amount !== amount)
      note('had an effect of another amount', `: ${amount}, not ${intent.amount}`)
    if (namesAnother(intent, first)) note('were answered with another order than the effect has')
  }
  return [
    ...Object.entries(broken).flatMap(([promise, items]) => sentencesOf(promise, items)),
    ...faulty('effects at the gateway that no intent asked for', index.foreign),
  ]
}

interface Broken {
  kind: IntentKind
  name: string
}

/** One sentence for each kind of intent. */
const sentencesOf = (promise: string, items: readonly Broken[]): string[] =>
  [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, list]) =>
    faulty(
      `${kind} intents that ${promise}`,
      list.map(({ name }) => name),
    ),
  )

/** Its orders and its id, so that it can be found in both records. */
const nameOf = ({ id, target }: Intent, made: readonly Effect[]): string => {
  const orders = made.length > 0 ? made.map(({ of }) => of) : [target ?? 'no order']
  return `${[...new Set(orders)].join(' and ')} (intent ${id})`
}

/** A queued charge is acknowledged before it is made, so the gateway may still refuse it. */
function owes(intent: Intent, { refused_charges }: GatewayEffects): boolean {
  if (outcomeOf(intent) !== 'done') return false
  if (intent.kind !== 'queued_charge') return true
  return !intent.answers.some(({ order_id }) => order_id !== null && refused_charges.has(order_id))
}

/** Of an effect on an order only: a subscription's answers name none. */
function namesAnother({ kind, answers }: Intent, { of }: Effect): boolean {
  if (kind.endsWith('subscription')) return false
  return answers.some(({ order_id }) => order_id !== null && order_id !== of)
}
