import { FROM_ZERO, METRICS, type MetricName } from './definitions.ts'
import {
  writeHistograms,
  writeSamples,
  type HistogramSample,
  type Labels,
  type MetricDefinition,
  type Sample,
} from './text_format.ts'

/** Values read at the moment of a scrape, by metric. */
export type Readings = Partial<Record<MetricName, readonly Sample[]>>

/**
 * Limits the series of one metric: further label values are counted as one series, because a
 * monitoring system stores each series permanently.
 */
const SERIES_MAX = 500

/** What was counted in this process since it began. */
export class Registry {
  readonly #counters = new Map<MetricName, Map<string, Sample>>()
  readonly #histograms = new Map<MetricName, Map<string, HistogramSample>>()

  constructor() {
    for (const [name, labels] of FROM_ZERO) this.add(name, labels, 0)
  }

  add(name: MetricName, labels: Labels = {}, by = 1): void {
    const series = seriesOf(this.#counters, name)
    const key = keyOf(series, labels)
    const known = series.get(key.text)
    if (known === undefined) series.set(key.text, { labels: key.labels, value: by })
    else known.value += by
  }

  observe(name: MetricName, labels: Labels, value: number): void {
    const { buckets = [] }: MetricDefinition = METRICS[name]
    const series = seriesOf(this.#histograms, name)
    const key = keyOf(series, labels)
    const known = series.get(key.text) ?? {
      labels: key.labels,
      counts: Array.from({ length: buckets.length + 1 }, () => 0),
      sum: 0,
    }
    series.set(key.text, known)
    const index = buckets.findIndex((bound) => value <= bound)
    const at = index === -1 ? buckets.length : index
    known.counts[at] = (known.counts[at] ?? 0) + 1
    known.sum += value
  }

  /** The page, with what was read now beside what was counted. In the order of the definitions. */
  write(readings: Readings): string {
    return names()
      .map((name) => {
        const histograms = [...(this.#histograms.get(name)?.values() ?? [])]
        if (histograms.length > 0) return writeHistograms(name, METRICS[name], histograms)
        const counted = [...(this.#counters.get(name)?.values() ?? [])]
        return writeSamples(name, METRICS[name], [...counted, ...(readings[name] ?? [])])
      })
      .join('')
  }
}

const isName = (name: string): name is MetricName => name in METRICS
export const names = (): MetricName[] => Object.keys(METRICS).filter(isName)

function seriesOf<One>(all: Map<MetricName, Map<string, One>>, name: MetricName): Map<string, One> {
  const known = all.get(name)
  if (known !== undefined) return known
  const made = new Map<string, One>()
  all.set(name, made)
  return made
}

function keyOf(series: ReadonlyMap<string, unknown>, labels: Labels) {
  const text = Object.values(labels).join('\0')
  if (series.has(text) || series.size < SERIES_MAX) return { text, labels }
  const rest = Object.fromEntries(Object.keys(labels).map((label) => [label, 'other']))
  return { text: Object.values(rest).join('\0'), labels: rest }
}
