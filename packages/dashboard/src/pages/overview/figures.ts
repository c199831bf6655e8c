// What the plots and tables of the overview show, worked out of the service's figures.
import type { Overview } from '@gapura/sdk'

const DAY_MS = 86_400_000

/** Exact: amounts are decimal text and are added as whole hundredths. */
export const sumOf = (rows: readonly { amount: string }[]): string => {
  let sum = 0n
  for (const { amount } of rows) sum += BigInt(amount.replace('.', ''))
  const digits = sum.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Every day of the period, also those on which nothing happened. */
export function daysOf({ from, until }: Pick<Overview, 'from' | 'until'>): string[] {
  const days: string[] = []
  const last = Date.parse(until)
  for (let at = Date.parse(from); at <= last; at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}

export interface DayFigures {
  day: string
  count: number
  received: string
  refunded: string
}

export function byDay(overview: Overview): DayFigures[] {
  const received = Map.groupBy(overview.received, ({ day }) => day)
  const refunds = Map.groupBy(overview.refunds, ({ day }) => day)
  return daysOf(overview).map((day) => {
    const came = received.get(day) ?? []
    return {
      day,
      count: came.reduce((sum, row) => sum + row.count, 0),
      received: sumOf(came),
      refunded: sumOf(refunds.get(day) ?? []),
    }
  })
}

/** What was created, of all methods together. */
export function wholeOf({ methods }: Overview) {
  const sum = (of: (row: Overview['methods'][number]) => number): number =>
    methods.reduce((total, row) => total + of(row), 0)
  return {
    created: sum((row) => row.created),
    paid: sum((row) => row.paid),
    open: sum((row) => row.open),
  }
}
