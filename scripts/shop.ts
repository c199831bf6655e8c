// Follows the README of the example shop from an empty folder to a paid checkout, by the clock: our
// packages packed as they would be published, an empty npm cache, the blocks of the page, then a
// buyer who pays on the simulator's page. Offline but for the npm registry. `--built` takes the
// packages as they are built already.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { blocksOf, Page } from './quickstart/blocks.ts'
import { freePort } from './quickstart/free_port.ts'
import { buildAll, pack, published } from './quickstart/packages.ts'
import { Terminal } from './quickstart/terminal.ts'

const WITHIN_S = 300
const EXAMPLE = 'examples/checkout'
const page = new Page(blocksOf(`${EXAMPLE}/README.md`, 'Start it'))

async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  console.log(`${step.padEnd(8)} ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s`)
  return result
}

/** The order that the shop's first page has made; the form is sent as a browser sends it. */
async function openPage(shop: string): Promise<string> {
  const first = await fetch(shop, { redirect: 'manual' })
  const order = new URL(first.headers.get('location') ?? '', shop).searchParams.get('order') ?? ''
  const body = new URLSearchParams({ order, method: 'page' })
  const sent = await fetch(`${shop}/checkout`, { method: 'POST', body, redirect: 'manual' })
  const hosted = sent.headers.get('location') ?? ''
  const shown = await fetch(hosted)
  if (sent.status !== 303 || !shown.ok) {
    throw new Error(`the shop answered ${sent.status} with ${hosted}`)
  }
  return order
}

async function untilCompleted(shop: string, order: string): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    const reply = await fetch(`${shop}/checkouts/state?order=${order}`)
    const { status } = (await reply.json()) as { status: string }
    if (status === 'completed') return
    await sleep(100)
  }
  throw new Error('the shop does not show the order as paid')
}

async function follow(folder: string, files: readonly string[], database: string): Promise<void> {
  const fresh = { npm_config_cache: path.join(folder, '.npm'), npm_config_loglevel: 'error' }
  const [one, two] = [new Terminal(folder, fresh), new Terminal(folder, fresh)]
  for (const port of [3000, 4010]) page.ports[port] = await freePort(port)
  const { 3000: shop_port = 3000, 4010: simulator_port = 4010 } = page.ports
  const shop = `http://127.0.0.1:${shop_port}`
  try {
    const [copy = '', install = '', start = ''] = page.take('', 1).trim().split('\n')
    await timed('install', async () => {
      await two.run(copy)
      await two.run(`${install} ${files.join(' ')}`, WITHIN_S * 1_000)
    })
    await timed('start', async () => {
      one.type(`${page.take('', 0).trim()} --port ${simulator_port}`)
      await one.until(/http:\/\/127\.0\.0\.1:\d+/)
      two.type(`export DATABASE_URL=${server}/${database}`)
      two.type(`export PORT=${shop_port} GATEWAY_BASE_URL=http://127.0.0.1:${simulator_port}`)
      two.type(start)
      await two.until(shop)
    })
    await timed('pay', async () => {
      const order = await openPage(shop)
      const url = `http://127.0.0.1:${simulator_port}/_sim/checkouts/${order}/pay`
      const headers = { 'content-type': 'application/json' }
      await fetch(url, { method: 'POST', headers, body: JSON.stringify({ method: 'bca_va' }) })
      await untilCompleted(shop, order)
    })
  } finally {
    await one.end()
    await two.end()
  }
}

const packages = mkdtempSync(path.join(tmpdir(), 'gapura-packages-'))
const folder = mkdtempSync(path.join(tmpdir(), 'gapura-shop-'))
const database = `gapura_shop_${process.pid}`
const { PGUSER = 'root', PGHOST = '127.0.0.1', PGPORT = '5432' } = process.env
const server = `postgres://${PGUSER}@${PGHOST}:${PGPORT}`
const sql = async (text: string): Promise<void> => {
  const client = new Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query(text)
  await client.end()
}
try {
  if (!process.argv.includes('--built')) buildAll()
  const files = published().map((one) => pack(one, packages))
  cpSync(EXAMPLE, folder, { recursive: true, filter: (file) => !file.includes('node_modules') })
  await sql(`create database ${database}`)
  const began = performance.now()
  await follow(folder, files, database)
  const took = (performance.now() - began) / 1_000
  const holds = took <= WITHIN_S && page.left().length === 0
  console.log(`a paid checkout after ${took.toFixed(1)} s (limit ${WITHIN_S})`)
  process.exitCode = holds ? 0 : 1
} finally {
  await sql(`drop database if exists ${database} with (force)`)
  rmSync(folder, { recursive: true, force: true })
  rmSync(packages, { recursive: true, force: true })
}
