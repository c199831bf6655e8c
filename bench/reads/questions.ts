// The requests and their expected answers. An owner's rows follow from their numbers, so every
// answer can be checked without the database.
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { LoadRequest } from '../load_child.ts'
import { ownersOf, ROWS_PER_OWNER } from './fill.ts'

export interface Question extends LoadRequest {
  check: (body: string) => void
}

/** One filled schema, and the keys that may read it. */
export interface Shop {
  payments: number
  url: string
  pid: number
  /** Numbers of the owners, and the header of each. */
  owners: readonly Asker[]
}

interface Asker {
  owner: number
  authorization: string
  /** Cursor of a page far down the owner's list. */
  cursor: string
}

interface Listed {
  next: string | null
  results: { order_id: string; transaction_status: string; payment_type: string }[]
}

const PAGE = 20
/** Rows above the deep page. */
export const DEEP = ROWS_PER_OWNER - 2 * PAGE

/** The row numbers of an owner, newest first. */
export function rowsOf({ payments }: Pick<Shop, 'payments'>, owner: number): number[] {
  const owners = ownersOf(payments)
  const rows: number[] = []
  for (let n = owner === 0 ? owners : owner; n <= payments; n += owners) rows.push(n)
  return rows.reverse()
}

/** As `fill.ts` makes it. */
function idOf(n: number): string {
  const drawn = createHash('md5').update(`payment${n}`).digest('hex')
  const hex = `${n.toString(16).padStart(12, '0')}7${drawn.slice(0, 3)}8${drawn.slice(3, 18)}`
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

/** A page of exactly these rows, in this order. */
const page =
  (rows: readonly number[]) =>
  (body: string): void => {
    const { results } = JSON.parse(body) as Listed
    deepStrictEqual(
      results.map(({ order_id }) => order_id),
      rows.map((n) => `order-${n}`),
    )
  }

type Asked = (shop: Shop, owner: Asker, luck: number) => Omit<Question, 'headers'>

const nth = ({ payments }: Shop, n: number): number => Math.floor(n / ownersOf(payments))
const list = (query: string): string => `/payments/?page_size=${PAGE}${query}`
const any = (rows: readonly number[], luck: number): number =>
  rows[Math.floor(luck * rows.length)] ?? 0

const ASKED: Record<string, Asked> = {
  'list, first page': (shop, { owner }) => ({
    path: list(''),
    check: page(rowsOf(shop, owner).slice(0, PAGE)),
  }),
  'list, deep page': (shop, { owner, cursor }) => ({
    path: list(`&cursor=${cursor}`),
    check: page(rowsOf(shop, owner).slice(DEEP, DEEP + PAGE)),
  }),
  'list by status': (shop, { owner }) => ({
    path: list('&status=expire'),
    check: page(
      rowsOf(shop, owner)
        .filter((n) => nth(shop, n) % 20 === 7)
        .slice(0, PAGE),
    ),
  }),
  'list by method': (shop, { owner }) => ({
    path: list('&payment_type=qris'),
    check: page(
      rowsOf(shop, owner)
        .filter((n) => nth(shop, n) % 5 === 2)
        .slice(0, PAGE),
    ),
  }),
  'list by e-mail': (shop, { owner }, luck) => {
    const one = Math.floor(luck * 40)
    return {
      path: list(`&customer_email=customer${owner}-${one}%40example.com`),
      check: page(
        rowsOf(shop, owner)
          .filter((n) => nth(shop, n) % 40 === one)
          .slice(0, PAGE),
      ),
    }
  },
  'look-up by id': (shop, { owner }, luck) => {
    const n = any(rowsOf(shop, owner), luck)
    return {
      path: `/payments/${idOf(n)}/`,
      check: (body) => {
        const { order_id, items } = JSON.parse(body) as { order_id: string; items: unknown[] }
        deepStrictEqual([order_id, items.length], [`order-${n}`, 1])
      },
    }
  },
  'look-up by order id': (shop, { owner }, luck) => {
    const n = any(rowsOf(shop, owner), luck)
    return { path: list(`&order_id=order-${n}`), check: page([n]) }
  },
}

export const NAMES = Object.keys(ASKED)

/** This many requests of a kind, each for another owner as long as there are any. */
export function questionsOf(shop: Shop, name: string, count: number): Question[] {
  const asked = ASKED[name]
  if (asked === undefined) throw new RangeError(name)
  return Array.from({ length: count }, (_, at) => {
    const owner = shop.owners[at % shop.owners.length]
    if (owner === undefined) throw new RangeError('no owner')
    const { authorization } = owner
    return { ...asked(shop, owner, Math.random()), headers: { authorization } }
  })
}

/** Throws unless paging through an owner's whole list shows each row once, newest first. */
export async function walk(url: string, authorization: string, rows: readonly number[]) {
  const seen: string[] = []
  for (let next: string | null = list(''); next !== null && seen.length <= rows.length;) {
    const reply = await fetch(new URL(next, url), { headers: { authorization } })
    const body = (await reply.json()) as Listed
    seen.push(...body.results.map(({ order_id }) => order_id))
    ;({ next } = body)
  }
  strictEqual(seen.length, rows.length, 'a walk through a list lost or repeated rows')
  page(rows)(JSON.stringify({ results: seen.map((order_id) => ({ order_id })) }))
}
