// What callers asked for: one record per intent, with every answer. An intent's id goes to the
// gateway in fields that the caller chooses, so that the gateway's ledger alone shows its effects.
import { randomUUID } from 'node:crypto'
import { isDefiniteStatus, type Answer, type Client } from './client.ts'
import type { Acknowledged } from './verdict.ts'

/** A caller of the service with an API key of its own. */
export interface CampaignCaller {
  owner_id: string
  api_key: string
}

export type IntentKind =
  | 'charge'
  | 'queued_charge'
  | 'refund'
  | 'direct_refund'
  | 'approved_refund'
  | 'capture'
  | 'approve'
  | 'deny'
  | 'cancel'
  | 'expire'
  | 'invoice'
  | 'subscription'
  | 'disable_subscription'
  | 'enable_subscription'
  | 'cancel_subscription'

/** One answer to an intent; what it says is empty if it was lost. */
export interface RecordedAnswer {
  /** How many other answers came while this request was on its way. */
  meanwhile: number
  status: number | null
  code: string | null
  /** The object, its order and its refund, as a 2xx named them. */
  object_id: string | null
  order_id: string | null
  refund_id: string | null
}

export interface Intent {
  id: string
  kind: IntentKind
  caller: CampaignCaller
  key: string
  path: string
  body: object | undefined
  /** The order an action is about, or the gateway's id of a subscription; null for a creation. */
  target: string | null
  /** In whole rupiah; null where the intent names none. */
  amount: number | null
  /** Whether the order id was chosen by the caller, and not minted by the service. */
  chosen_order_id: string | null
  /** The request that a held refund waits in, which another of the same amount may share. */
  held_in: string | null
  /** Where a staff member approves the held refund; null until one wants to. */
  approval_path: string | null
  answers: RecordedAnswer[]
}

interface IntentOrder {
  kind: IntentKind
  caller: CampaignCaller
  path: string
  /** Made from the intent's id, which must be in every field that the gateway keeps. */
  body?: (id: string) => object
  target?: string
  amount?: number
  chosen_order_id?: string
}

/** What a caller may conclude from all answers to an intent. */
export type IntentOutcome = 'done' | 'refused' | 'unclear'

/**
 * Done after any success: a later answer takes nothing back. Refused if the last answer is a
 * definite refusal. An unclear answer after it, or to a repeat that was on its way at the same time,
 * leaves the intent open: a refusal frees the key, so the repeat may have been carried out.
 */
export function outcomeOf({ answers }: Pick<Intent, 'answers'>): IntentOutcome {
  if (answers.some(({ status }) => status !== null && status < 300)) return 'done'
  const last = answers.slice(-1 - (answers.at(-1)?.meanwhile ?? 0))
  const refused = last.every(({ status }) => status !== null && isDefiniteStatus(status))
  return last.length > 0 && refused ? 'refused' : 'unclear'
}

/** Every intent of a run, in the order in which they were begun. */
export class IntentLog {
  readonly all: Intent[] = []

  begin(order: IntentOrder): Intent {
    const { kind, caller, path, body, target, amount, chosen_order_id } = order
    const id = randomUUID()
    const intent: Intent = {
      id,
      kind,
      caller,
      key: randomUUID(),
      path,
      body: body?.(id),
      target: target ?? null,
      amount: amount ?? null,
      chosen_order_id: chosen_order_id ?? null,
      held_in: null,
      approval_path: null,
      answers: [],
    }
    this.all.push(intent)
    return intent
  }

  /** Begins an intent and sends it until the client has a definite answer or gives up. */
  async perform(client: Pick<Client, 'wish'>, order: IntentOrder): Promise<Answer | undefined> {
    return await this.send(client, this.begin(order))
  }

  /** Sends an intent, for the first time or again, under the key it has. */
  async send(client: Pick<Client, 'wish'>, intent: Intent): Promise<Answer | undefined> {
    const { path, body, key, caller } = intent
    return await client.wish({
      method: 'POST',
      path,
      key,
      api_key: caller.api_key,
      ...(body && { body }),
      onSend: () => answerTo(intent),
    })
  }

  /**
   * How many intents of each kind and outcome there are. What asks wrongly tests nothing, and is a
   * fault of the campaign.
   */
  byKind(): Map<string, number> {
    const groups = Map.groupBy(this.all, (intent) => {
      const is_invalid = intent.answers.some(({ code }) => code === 'invalid_request')
      return `${intent.kind} ${is_invalid ? 'invalid' : outcomeOf(intent)}`
    })
    return new Map([...groups].map(([what, { length }]) => [what, length]))
  }

  /** How many intents of each outcome there are. */
  counts(): Record<IntentOutcome, number> {
    const counts = { done: 0, refused: 0, unclear: 0 }
    for (const intent of this.all) counts[outcomeOf(intent)] += 1
    return counts
  }
}

/**
 * Called when a request is sent; returns what records its answer, from any source: a staff member's
 * approval answers the held refund.
 */
export function answerTo({ answers }: Intent): (answer: Answer | undefined) => void {
  const before = answers.length
  return (answer) => {
    const body = answer !== undefined && answer.status < 300 ? answer.body : {}
    answers.push({
      meanwhile: answers.length - before,
      status: answer?.status ?? null,
      code: textIn(answer?.body, 'code'),
      object_id: textIn(body, 'id') ?? textIn(body['payment'], 'id'),
      order_id: textIn(body, 'order_id') ?? textIn(body['payment'], 'order_id'),
      refund_id: textIn(body['refund'], 'id'),
    })
  }
}

function textIn(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value = (body as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : null
}

/** What callers were answered, for the comparison with our own records. */
export function acknowledgedBy(intents: readonly Intent[]): Omit<Acknowledged, 'notifications'> {
  const charges = new Map<string, string>()
  const refunds = new Map<string, string>()
  const queued_orders: string[] = []
  for (const { kind, answers } of intents) {
    for (const { object_id, order_id, refund_id } of answers) {
      if (object_id !== null && refund_id !== null) refunds.set(refund_id, object_id)
      if (kind === 'queued_charge' && order_id !== null) queued_orders.push(order_id)
      if (kind === 'charge' && object_id !== null && order_id !== null)
        charges.set(object_id, order_id)
    }
  }
  return {
    charges: [...charges].map(([id, order_id]) => ({ id, order_id })),
    refunds: [...refunds].map(([refund_id, payment_id]) => ({ payment_id, refund_id })),
    refused_orders: refusedOrders(intents),
    queued_orders,
  }
}

/** Orders each of whose charges was refused: of several charges of one order another may be made. */
function refusedOrders(intents: readonly Intent[]): string[] {
  const charges = intents.filter(({ kind }) => kind === 'charge')
  return [...Map.groupBy(charges, ({ chosen_order_id }) => chosen_order_id)].flatMap(
    ([order_id, same]) =>
      order_id !== null && same.every((one) => outcomeOf(one) === 'refused') ? [order_id] : [],
  )
}

/** What callers were shown of their checkouts: each answer is a promise. */
export class CheckoutLog {
  /** Every token, by order. */
  readonly shown = new Map<string, Set<string>>()
  /** Checkouts that were answered with 200 or 201. */
  readonly acknowledged = new Set<string>()

  readonly note = (order_id: string, answer: Answer | undefined): void => {
    if (answer === undefined || answer.status >= 300) return
    const { id, token } = answer.body
    if (typeof id === 'string') this.acknowledged.add(id)
    if (typeof token !== 'string') return
    this.shown.set(order_id, (this.shown.get(order_id) ?? new Set()).add(token))
  }
}
