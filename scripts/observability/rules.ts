// The rules that Prometheus loads, from the tables of objectives and alerts and the runbook's list
// of alarms.
import { stringify } from 'yaml'
import { ALERTS, PAGED_ALARMS, RECORDED, type Alert } from './alerts.ts'
import { BURNS, FAILURES_MIN, OBJECTIVES, type Objective } from './objectives.ts'

export interface Rule {
  record?: string
  alert?: string
  expr: string
  for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

export interface Rules {
  groups: { name: string; rules: Rule[] }[]
}

const RUNBOOK = 'docs/runbook.md'
const ALARM_ROW = /^\| `([a-z_]+)` \| [^|]+ \| \[[^\]]+\]\(#([a-z-]+)\) \|$/gm

const alertRule = ({ section, command, summary, severity, labels, ...alert }: Alert): Rule => ({
  alert: alert.alert,
  expr: alert.expr,
  ...(alert.for !== undefined && { for: alert.for }),
  labels: { severity, ...labels },
  annotations: { summary, runbook_url: `${RUNBOOK}#${section}`, command },
})

function recordedOf({ name, bad, all }: Objective): Rule[] {
  const windows = [...new Set(BURNS.flatMap(({ long, short }) => [short, long]))]
  const longs = [...new Set(BURNS.map(({ long }) => long))]
  return [
    ...windows.map((window) => ({
      record: `gapura:${name}_bad:ratio${window}`,
      expr: `${bad(window)} / ${all(window)}`,
    })),
    ...longs.map((window) => ({
      record: `gapura:${name}_bad:count${window}`,
      expr: `${bad(window)} * ${seconds(window)}`,
    })),
  ]
}

/** A window as a product with 60, as every limit in seconds is written. */
function seconds(window: string): string {
  const minutes = { m: 1, h: 60, d: 24 * 60 }[window.at(-1) as 'm' | 'h' | 'd']
  return `${Number.parseInt(window, 10) * minutes} * 60`
}

function burnRule(objective: Objective, severity: 'page' | 'ticket'): Rule {
  const { name, alert, target, section, command, summary } = objective
  const budget = Number((1 - target).toPrecision(4))
  const burns = BURNS.filter((burn) => burn.severity === severity)
  const expr = burns
    .map(
      ({ factor, long, short }) =>
        `(gapura:${name}_bad:ratio${long} > ${factor} * ${budget} and gapura:${name}_bad:ratio${short} > ${factor} * ${budget} and gapura:${name}_bad:count${long} >= ${FAILURES_MIN})`,
    )
    .join(' or ')
  return alertRule({ alert, expr, severity, section, command, summary })
}

/** An alarm of the service is decided by staff; its section is that of the runbook's table. */
function alarmRules(runbook: string): Rule[] {
  const rows = [...runbook.matchAll(ALARM_ROW)]
  return rows.map(([, kind = '', section = '']) =>
    alertRule({
      alert: 'GapuraAlarmOpen',
      labels: { kind },
      expr: `max(gapura_alarms_open{kind="${kind}"}) > 0`,
      severity: PAGED_ALARMS.has(kind) ? 'page' : 'ticket',
      section,
      command: `gapura alarms list --kind ${kind}`,
      summary: `An alarm ${kind} is open: staff decide.`,
    }),
  )
}

export function rulesOf(runbook: string): Rules {
  const group = (name: string, rules: readonly Rule[]) => ({ name, rules: [...rules] })
  return {
    groups: [
      group('gapura-recorded', RECORDED),
      ...OBJECTIVES.map((one) => group(`gapura-objective-${one.name}`, recordedOf(one))),
      group(
        'gapura-burn-rates',
        OBJECTIVES.flatMap((one) => [burnRule(one, 'page'), burnRule(one, 'ticket')]),
      ),
      group('gapura-alerts', ALERTS.map(alertRule)),
      group('gapura-alarms', alarmRules(runbook)),
    ],
  }
}

export const rulesText = (runbook: string): string =>
  `# Made by npm run generate observability; do not edit.\n# yamllint disable rule:line-length\n${stringify(rulesOf(runbook), { lineWidth: 0 })}`

const UNIT_SECONDS = { m: 1, h: 60, d: 24 * 60 }

/** The same rules with seconds for minutes, so that a campaign need not wait for hours. */
export const withSecondsForMinutes = (text: string): string =>
  text
    .replaceAll(
      /(?<=\[|for: )(\d+)([mhd])\b/g,
      (_, count: string, unit: keyof typeof UNIT_SECONDS) =>
        `${Number(count) * UNIT_SECONDS[unit]}s`,
    )
    .replaceAll(/ \* 60\b/g, ' * 1')
