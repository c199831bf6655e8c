/** Where we differ from a published sample on purpose; every one is printed by the fidelity run. */
export interface Difference {
  file: string
  why: string
}

export const REQUEST_DIFFERENCES: readonly Difference[] = [
  {
    file: 'requests/charge_credit_card__no_card_object.json',
    why: 'a card charge without a token is refused before it is sent',
  },
]
