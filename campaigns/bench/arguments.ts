import { parseArgs } from 'node:util'

export interface CampaignArguments {
  /** Faults, payments or lost replies: what the campaign counts. */
  n: number
  seed: number
  quick: boolean
  /** No new fault begins after this; those in progress end. */
  seconds_max: number
  /** Which of the campaign's own switches are on. */
  switches: ReadonlySet<string>
  /** The rule that the API processes break on purpose. */
  broken: string | undefined
  /** Seconds without a fault, for the campaign of alerts. */
  calm: number | undefined
  /** Only the faults whose name contains one of these, separated by commas. */
  only: string | undefined
  /** For how many days the gateway is unreachable; by default the campaign's own. */
  away_days: number | undefined
}

const SECONDS_MAX = 15 * 60

/**
 * `--n`, `--seed`, `--seconds`, `--break` and `--quick`, with the campaign's own sizes where none
 * is given.
 */
export function readArguments(
  sizes: { n: number; quick_n: number; seconds?: number },
  own: readonly string[] = [],
): CampaignArguments {
  const on = new Set(own.filter((name) => process.argv.includes(`--${name}`)))
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((word) => !on.has(word.slice(2))),
    options: {
      n: { type: 'string' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: String(sizes.seconds ?? SECONDS_MAX) },
      quick: { type: 'boolean', default: false },
      break: { type: 'string' },
      'away-days': { type: 'string' },
      calm: { type: 'string' },
      only: { type: 'string' },
    },
  })
  const n = whole('n', values.n ?? String(values.quick ? sizes.quick_n : sizes.n))
  const seed = whole('seed', values.seed)
  const seconds_max = whole('seconds', values.seconds)
  const { quick, break: broken, 'away-days': days } = values
  const away_days = days === undefined ? undefined : whole('away-days', days)
  const calm = values.calm === undefined ? undefined : whole('calm', values.calm)
  const { only } = values
  return { calm, only, n, seed, quick, seconds_max, switches: on, broken, away_days }
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} is a whole number, not ${text}`)
  return Number(text)
}
