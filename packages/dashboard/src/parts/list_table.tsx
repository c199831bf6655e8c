// A table of any number of rows: scrolling requests more, and only visible rows are in the page.
// The link of a row covers all of it, so a click anywhere, Enter, Ctrl-click, a middle click and a
// screen reader work as on any link; up and down move.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { useKeys } from '../keyboard.ts'
import { useCopy } from './copy.tsx'

export interface Column<Row> {
  name: string
  /** Left out where the screen is narrow: `wide` below 900 pixels, `middle` below 640. */
  only?: 'wide' | 'middle'
  amount?: true
  /** How broad it is; the others share what is left. */
  size?: 'time' | 'second' | 'short' | 'outcome' | 'number' | 'day' | 'id' | 'text' | 'effect'
  cell: (row: Row) => ReactNode
  /** On a phone, in a second line of the cell, instead of columns that are left out. */
  under?: (row: Row) => ReactNode
}

interface ListTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  open: (row: Row) => void
  /** What leads to the next rows, if there are any. */
  more: (() => void) | undefined
}

const ROW_HEIGHT = 45
/** On a phone a row has two lines, and a thumb needs 44 pixels. */
const PHONE_ROW_HEIGHT = 72
const PHONE = '(width < 720px)'
/** More rows are requested at this distance from the end. */
const AHEAD = 15

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, rows, columns, idOf, more } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [])
  const height = usePhone() ? PHONE_ROW_HEIGHT : ROW_HEIGHT
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more !== undefined && last >= rows.length - AHEAD) more()
  }, [last, rows.length, more])
  const current = useMoves(props, (index) => virtual.scrollToIndex(index))
  const before = (shown[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  return (
    <table className="list" aria-label={label} aria-rowcount={more ? -1 : rows.length + 1}>
      <Head columns={columns} />
      <tbody ref={body}>
        <Spacer height={before} />
        {shown.map(({ index }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <tr
                key={idOf(row)}
                data-row={index}
                aria-rowindex={index + 2}
                data-current={index === current}
              >
                {columns.map((column) => (
                  <td key={column.name} className={classOf(column)}>
                    {column.cell(row)}
                    {column.under && <span className="under">{column.under(row)}</span>}
                  </td>
                ))}
              </tr>
            )
          )
        })}
        <Spacer height={after} />
      </tbody>
    </table>
  )
}

function usePhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(PHONE)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(PHONE).matches,
  )
}

const classOf = <Row,>({ only, amount, size }: Column<Row>): string =>
  [only, amount && 'amount', size].filter((one) => one !== undefined).join(' ')

const Head = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <thead>
    <tr aria-rowindex={1}>
      {columns.map((column) => (
        <th key={column.name} scope="col" className={classOf(column)}>
          {column.name}
        </th>
      ))}
    </tr>
  </thead>
)

/** One cell: more would count as columns, and those of a narrow screen are fewer. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden="true" className="spacer">
      <td style={{ height }} />
    </tr>
  )

/** Up, down, open and copy by key. The row one is at is the one whose link has the focus. */
function useMoves<Row>(
  { rows, idOf, open }: ListTableProps<Row>,
  reveal: (index: number) => void,
): number {
  const [current, setCurrent] = useState(-1)
  const copy = useCopy()
  const go = (step: number) => (event: KeyboardEvent) => {
    event.preventDefault()
    const next = Math.max(0, Math.min(rows.length - 1, current + step))
    setCurrent(next)
    reveal(next)
    // The row may only come into the page with the next frame.
    requestAnimationFrame(() => focusRow(next))
  }
  const row = rows[current]
  useKeys({
    ArrowDown: go(1),
    ArrowUp: go(-1),
    j: go(1),
    k: go(-1),
    Enter: ({ target }) => {
      const elsewhere = target instanceof Element && target.closest('a, button') !== null
      if (row !== undefined && !elsewhere) open(row)
    },
    c: () => row !== undefined && copy(idOf(row)),
  })
  return current
}

const focusRow = (index: number): void =>
  document.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus({ preventScroll: true })
