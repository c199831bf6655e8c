// What the payment pages say that no table of the code has. Each language is one value of
// `PaymentTexts`; payments.ts makes the pages of all of them.
import type { PaymentType } from 'gapura'

export type Unit = 'day' | 'hour' | 'minute' | 'second'

/** Whether `direct: true` is offered. */
export type Direct = 'yes' | 'no' | 'unknown' | 'some_acquirers'

interface TypeText {
  title: string
  /** One sentence for the page and for the list of pages. */
  about: string
  /** What to show, and what the payer does. Markdown. */
  customer: string
  refund?: string
}

export interface PaymentTexts {
  /** The folder of this language's pages. */
  folder: string
  /** Link to the same page in the other language. */
  other: { label: string; folder: string }
  index: {
    title: string
    intro: string
    head: { expires: string; refund: string }
    refunds: { none: string; partial: string; full: string }
    inputs: string
  }
  headings: { request: string; reply: string; customer: string; expiry: string; refunds: string }
  rows: { required: string; optional: string; amount: string; checks: string }
  request: string
  reply: string
  duration: (count: number, unit: Unit) => string
  amountFrom: (min: string) => string
  amountBetween: (min: string, max: string) => string
  checks: (times: string, interval: string) => string
  expiry: (usual: string, custom: { min: string; max: string } | null) => string
  notRefundable: string
  /** `others`: the days of single variants, in brackets, or empty. */
  refundable: (refund: { partial: boolean; days: number; others: string }) => string
  direct: Readonly<Record<Direct, string>>
  types: Readonly<Record<PaymentType, TypeText>>
}
