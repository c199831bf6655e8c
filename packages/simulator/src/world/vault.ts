import type { CardBehaviour } from './transaction.ts'

/** What is kept of a card: never its number or its code. */
export interface Card {
  bin: string
  last_four: string
  behaviour: CardBehaviour
  expires_at: number
}

interface OneTimeToken {
  card: Card
  until: number
}

// The lifetime is not published; long enough for a checkout, short enough for tests.
const TOKEN_LIFE_MS = 15 * 60 * 1000

/** Card tokens: one-time tokens end by use or age, saved tokens with their card. */
export class Vault {
  #one_time = new Map<string, OneTimeToken>()
  #saved = new Map<string, Card>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(token_id: string, card: Card): void {
    // All live equally long, so the oldest come first and the loop ends early.
    for (const [old, { until }] of this.#one_time) {
      if (until > this.#now()) break
      this.#one_time.delete(old)
    }
    this.#one_time.set(token_id, { card, until: this.#now() + TOKEN_LIFE_MS })
  }

  save(saved_token_id: string, card: Card): void {
    this.#saved.set(saved_token_id, card)
  }

  /** The card behind a token that may be charged now. */
  find(token_id: string): Card | undefined {
    const one_time = this.#one_time.get(token_id)
    if (one_time) return one_time.until > this.#now() ? one_time.card : undefined
    return this.findSaved(token_id)
  }

  findSaved(token_id: string): Card | undefined {
    const card = this.#saved.get(token_id)
    return card && card.expires_at > this.#now() ? card : undefined
  }

  /** A one-time token is valid for one charge. */
  spend(token_id: string): void {
    this.#one_time.delete(token_id)
  }
}

/** Eight digits and four, as replies show a card since the longer BINs. */
export const maskOf = ({ bin, last_four }: Card): string => `${bin}-${last_four}`

/** The numbers of gateway-protocol.md#sandbox-data, and the old sandbox's challenge card. */
export const TEST_CARDS: readonly { number: string; behaviour: CardBehaviour }[] = [
  { number: '4811111111111114', behaviour: 'accept' },
  { number: '4911111111111113', behaviour: 'bank_deny' },
  { number: '4472429869996670', behaviour: 'insufficient_funds' },
  { number: '4411111111111118', behaviour: 'not_enrolled' },
  { number: '4611111111111116', behaviour: 'fraud_deny' },
  { number: '4511111111111117', behaviour: 'challenge' },
  { number: '4024007176265022', behaviour: 'late_accept' },
]

const BEHAVIOURS = new Map(TEST_CARDS.map(({ number, behaviour }) => [number, behaviour]))

/** Any other number that passes the Luhn check is accepted. */
export const behaviourOf = (card_number: string): CardBehaviour =>
  BEHAVIOURS.get(card_number) ?? 'accept'

/** Whether a number can be a card's: its check digit and its length are right. */
export function passesLuhn(card_number: string): boolean {
  const sum = card_number
    .split('')
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return /^\d{13,19}$/.test(card_number) && sum % 10 === 0
}
