// The Prometheus text format, version 0.0.4: a page of counters, gauges and histograms.
// https://prometheus.io/docs/instrumenting/exposition_formats/

export type MetricType = 'counter' | 'gauge' | 'histogram'

export type Labels = Readonly<Record<string, string>>

/** The documented form of a metric: type, help text and label names. */
export interface MetricDefinition {
  type: MetricType
  help: string
  labels: readonly string[]
  /** Upper bounds of a histogram, ascending; the last, infinity, is understood. */
  buckets?: readonly number[]
}

export interface Sample {
  labels: Labels
  value: number
}

export interface HistogramSample {
  labels: Labels
  /** How many fell into each bucket alone, the one above the last bound included. */
  counts: number[]
  sum: number
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** One counter or gauge with all its samples; nothing if there are none. */
export function writeSamples(
  name: string,
  definition: MetricDefinition,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ labels, value }) => line(name, labels, value))
  return [...heading(name, definition), ...lines, ''].join('\n')
}

export function writeHistograms(
  name: string,
  definition: MetricDefinition,
  samples: readonly HistogramSample[],
): string {
  if (samples.length === 0) return ''
  const bounds = [...(definition.buckets ?? []), Number.POSITIVE_INFINITY]
  const lines = samples.flatMap(({ labels, counts, sum }) => {
    let below = 0
    const buckets = bounds.map((bound, index) => {
      below += counts[index] ?? 0
      return line(`${name}_bucket`, { ...labels, le: written(bound) }, below)
    })
    return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, below)]
  })
  return [...heading(name, definition), ...lines, ''].join('\n')
}

const heading = (name: string, { help, type }: MetricDefinition): string[] => [
  `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
  `# TYPE ${name} ${type}`,
]

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${written(value)}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function written(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}
