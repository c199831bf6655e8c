/** A page of metrics, read strictly: whatever Prometheus would refuse is an error here. */
export interface MetricsPage {
  types: Map<string, string>
  /** By name and labels, as they are written. */
  samples: Map<string, number>
  value: (series: string) => number | undefined
}

const SAMPLE =
  /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|NaN)$/

export function readMetrics(text: string): MetricsPage {
  const types = new Map<string, string>()
  const samples = new Map<string, number>()
  let current = ''
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z0-9_]+) \S/.exec(line)?.[1]
    const type = /^# TYPE ([a-z0-9_]+) (counter|gauge|histogram)$/.exec(line)
    if (help !== undefined) {
      if (types.has(help)) throw new Error(`${help} comes twice`)
      current = help
    } else if (type !== null) {
      if (type[1] !== current) throw new Error(`a type without its help: ${line}`)
      types.set(current, type[2] ?? '')
    } else {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line.replace('p99', 'p')) ?? []
      const own = current.replace('p99', 'p')
      const parts = types.get(current) === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      if (!parts.some((part) => name === `${own}${part}`)) throw new Error(`stray: ${line}`)
      const series = labels === '' ? name : `${name}{${labels}}`
      if (samples.has(series)) throw new Error(`${series} comes twice`)
      samples.set(series, Number(value.replace('Inf', 'Infinity')))
    }
  }
  return { types, samples, value: (series) => samples.get(series) }
}
