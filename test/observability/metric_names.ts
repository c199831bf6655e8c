import { METRICS } from '../../packages/service/src/main/metrics/definitions.ts'
import type { MetricDefinition } from '../../packages/service/src/main/metrics/text_format.ts'
import { rulesOf } from '../../scripts/observability/rules.ts'

const definitions: Readonly<Record<string, MetricDefinition>> = METRICS
/** What Prometheus adds to every sample, or has of its own. */
const ADDED = ['instance', 'job', 'le']
const OWN: Readonly<Record<string, readonly string[]>> = { up: [] }
const recorded = new Set(
  rulesOf('').groups.flatMap(({ rules }) => rules.map(({ record }) => record)),
)

function labelsOf(name: string): readonly string[] | undefined {
  if (name in OWN) return OWN[name]
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  if (definitions[base]?.type === 'histogram' && base !== name) return definitions[base].labels
  return definitions[name]?.type === 'histogram' ? undefined : definitions[name]?.labels
}

const SELECTOR = /\b((?:gapura|process|nodejs)_[a-z0-9_]+|up(?=\{))(?:\{([^}]*)\})?/g

/** Metrics of a query that the service does not have, and labels that they do not have. */
export function unknownIn(expr: string): string[] {
  const rules = [...expr.matchAll(/\bgapura:[a-z0-9_:]+/g)].map(([name]) => name)
  const others = [...expr.replaceAll(/\bgapura:[a-z0-9_:]+/g, '').matchAll(SELECTOR)]
  return [
    ...rules.filter((name) => !recorded.has(name)),
    ...others.flatMap(([, name = '', matchers = '']) => {
      const labels = labelsOf(name)
      if (labels === undefined) return [name]
      const named = [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
      return named
        .filter((label) => !labels.includes(label) && !ADDED.includes(label))
        .map((label) => `${name}{${label}}`)
    }),
  ]
}
