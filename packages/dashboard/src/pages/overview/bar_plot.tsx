import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { usePalette, type Palette } from './palette.ts'

interface Series {
  name: string
  colour: keyof Palette
  values: readonly number[]
}

interface BarPlotProps {
  /** What it shows, in words; the figures are in the table beside it. */
  label: string
  /** One for each place on the axis. */
  names: readonly string[]
  series: readonly Series[]
  valueText: (value: number) => string
  /** Where a click on the bars of a place leads; the table has the same as links. */
  choose?: (at: number) => void
}

const HEIGHT = 240
const VALUES_WIDTH = 90
const FONT = '12px system-ui, sans-serif'

/** Bars side by side. A picture for the eye: everything it says is in a table as well. */
export function BarPlot(props: BarPlotProps) {
  const { label, names, series } = props
  const place = useRef<HTMLDivElement>(null)
  const palette = usePalette()
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const data: uPlot.AlignedData = [
      names.map((_name, at) => at),
      ...series.map(({ values }) => [...values]),
    ]
    const plot = new uPlot(optionsOf(props, palette, element.clientWidth), data, element)
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: HEIGHT })
    })
    watcher.observe(element)
    const { choose } = props
    const click = ({ offsetX }: MouseEvent): void => {
      const at = Math.round(plot.posToVal(offsetX, 'x'))
      if (at >= 0 && at < names.length) choose?.(at)
    }
    if (choose !== undefined) {
      plot.over.style.cursor = 'pointer'
      plot.over.addEventListener('click', click)
    }
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
    // Drawn anew when what is drawn changes; `props` itself is another object each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [names, series, palette])
  return <div ref={place} className="plot" role="img" aria-label={label} />
}

function optionsOf(
  { names, series, valueText }: BarPlotProps,
  palette: Palette,
  width: number,
): uPlot.Options {
  const axis = {
    stroke: palette.soft,
    font: FONT,
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
  }
  const bars = (at: number) =>
    uPlot.paths.bars?.({
      size: [0.7 / series.length, 40],
      align: alignOf(at, series.length),
      gap: 1,
    })
  return {
    width,
    height: HEIGHT,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { time: false, range: [-0.6, names.length - 0.4] },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ...placesOf(names, width),
        values: (_plot, places) => places.map((at) => names[at] ?? ''),
      },
      { ...axis, size: VALUES_WIDTH, values: (_plot, values) => values.map(valueText) },
    ],
    series: [
      {},
      ...series.map(({ name, colour }, at) => {
        const paths = bars(at)
        return {
          label: name,
          fill: palette[colour],
          stroke: palette[colour],
          width: 0,
          points: { show: false },
          ...(paths && { paths }),
        }
      }),
    ],
  }
}

const NAMES_MAX = 12

/** Slanted labels if there are few and they would overlap; of many labels only some. */
function placesOf(names: readonly string[], width: number): uPlot.Axis {
  const longest = 8 * Math.max(...names.map((name) => name.length), 4)
  const aslant = names.length <= NAMES_MAX && (width - VALUES_WIDTH) / names.length < longest
  return aslant
    ? { incrs: [1], space: 1, rotate: -40, size: 20 + 0.45 * longest }
    : { incrs: [1, 2, 5, 7, 10, 15, 30, 60], space: longest, size: 30 }
}

/** Two bars are left and right of the tick, a single bar is on it. */
const alignOf = (at: number, count: number): -1 | 0 | 1 => (count === 1 ? 0 : at === 0 ? -1 : 1)
