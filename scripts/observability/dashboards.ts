// Builds the Grafana dashboards of panels.ts with Grafana's own typed builders.
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as GraphBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import type { DashboardTable, PanelTable } from './panels.ts'

const SOURCE = { type: 'prometheus', uid: '$source' }
const STAT = { width: 4, height: 5 }
const GRAPH = { width: 8, height: 8 }

function panelOf({ title, says, unit, kind, queries, red_from }: PanelTable) {
  const size = kind === 'stat' ? STAT : GRAPH
  const panel = (kind === 'stat' ? new StatBuilder() : new GraphBuilder())
    .title(title)
    .description(says)
    .unit(unit)
    .datasource(SOURCE)
    .span(size.width)
    .height(size.height)
  for (const [index, [legend, expr]] of Object.entries(queries).entries()) {
    const query = new DataqueryBuilder().expr(expr).refId(String.fromCodePoint(65 + index))
    if (legend !== '') query.legendFormat(legend)
    panel.withTarget(kind === 'stat' ? query.instant() : query.range())
  }
  if (red_from !== undefined) {
    const steps = [
      { value: null, color: 'green' },
      { value: red_from, color: 'red' },
    ]
    panel.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
  }
  return panel
}

export function dashboardText({ uid, title, description, rows }: DashboardTable): string {
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['gapura'])
    .timezone('browser')
    .refresh('1m')
    .time({ from: 'now-24h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('source').label('Source').type('prometheus'))
  for (const [row, panels] of Object.entries(rows)) {
    dashboard.withRow(new RowBuilder(row))
    for (const panel of panels) dashboard.withPanel(panelOf(panel))
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`
}
