// sqlmap of Debian against every parameter of every list, search and look-up of the document, with
// a staff key; and against a route of our own with a concatenated statement, which it must find.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { readArguments } from './bench/arguments.ts'
import { seeded } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { OPERATIONS, type Operation } from './hostile/schema.ts'
import { canaryKey, openTarget } from './hostile/target.ts'

const given = readArguments({ n: 1_000, quick_n: 2 }, [])
const URL_WITHIN_MS = 420_000
/** Boolean, error, stacked and timed; not UNION, for its many requests. Refusals are no error. */
const HOW =
  '--batch --dbms PostgreSQL --level 2 --risk 2 --technique BEST --time-sec 2 --timeout 20 ' +
  '--retries 1 --disable-coloring --ignore-code 400,404,429 --flush-session'
const target = await openTarget({
  seed: given.seed,
  random: seeded(given.seed),
  server_key: canaryKey(),
})
const { port, world, deployment } = target
const folder = mkdtempSync(path.join(tmpdir(), 'gapura-sqlmap-'))

/** A value that is valid in its place, so that only what sqlmap adds is judged. */
const RIGHT: Readonly<Record<string, string>> = {
  payment_type: 'qris',
  status: 'pending',
  customer_email: 'ani@example.com',
  created_from: '2020-01-01T00:00:00Z',
  created_before: '2099-01-01T00:00:00Z',
  from: '2020-01-01T00:00:00Z',
  until: '2099-01-01T00:00:00Z',
  due_before: '2099-01-01',
  due_after: '2020-01-01',
  page_size: '5',
  gross_amount: '150000',
  overdue: 'true',
  closed: 'true',
  attention: 'true',
  sort: 'created_at',
  effect: 'unmatched',
  kind: 'event_dead',
}
const [known] = world.payments
const id = known?.id ?? ''
const valueOf = (name: string): string =>
  RIGHT[name] ?? (name.endsWith('_id') && name !== 'order_id' ? id : (known?.order_id ?? ''))

interface Tried {
  where: string
  parameters: number
  refusals: number
  found: string[]
  ended: boolean
}

/** One address; the star marks the place in the path. */
async function attack(url: string, names: readonly string[]): Promise<Omit<Tried, 'where'>> {
  const authorization = `Authorization: Bearer ${world.staff_key}`
  const where = ['-u', url, '--headers', authorization, '--output-dir', folder]
  const only = names.length === 0 ? [] : ['-p', names.join(',')]
  const child = spawn('sqlmap', [...where, ...only, ...HOW.split(' ')])
  const late = setTimeout(() => child.kill('SIGKILL'), URL_WITHIN_MS)
  const ended = once(child, 'exit')
  const said = await text(child.stdout)
  await ended
  clearTimeout(late)
  appendFileSync(path.join(folder, 'said.txt'), said)
  const found = [...said.matchAll(/^Parameter: (.+)$/gm)].map(([, name = '']) => name)
  const refusals = [...said.matchAll(/\(([A-Z][\w ]+)\) - (\d+) times/g)]
  return {
    parameters: Math.max(1, names.length),
    refusals: refusals.reduce((sum, [, , times = '0']) => sum + Number(times), 0),
    found,
    // sqlmap says so of every parameter it has tried in full; no output is no result.
    ended:
      found.length > 0 || said.includes('all tested parameters do not appear to be injectable'),
  }
}

function* addresses({ path: route, parameters }: Operation): Generator<[string, string[]]> {
  const base = `http://127.0.0.1:${port}`
  const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // A cursor is base64 of our own, judged by the hostile texts.
  const names = queries.filter((name) => name !== 'cursor')
  if (route.includes('{pk}')) yield [`${base}${route.replace('{pk}', `${id}*`)}`, []]
  else if (names.length > 0) {
    const query = names.map((name) => `${name}=${encodeURIComponent(valueOf(name))}`).join('&')
    yield [`${base}${route}?${query}`, names]
  }
}

/** A route with a concatenated statement. */
async function openInjectableRoute() {
  const { db } = deployment.parts.ctx
  const server = createServer((request, response) => {
    const order_id = new URL(request.url ?? '', 'http://a').searchParams.get('order_id') ?? ''
    db.pool
      .query(`select order_id from ${db.schema}.gateway_payment where order_id = '${order_id}'`)
      .then(
        ({ rows }) => response.end(JSON.stringify(rows)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/?order_id=${known?.order_id}`
}

progress('a concatenated statement, which sqlmap must find')
const control = await attack(await openInjectableRoute(), ['order_id'])
const tried: Tried[] = []
const reads = OPERATIONS.filter(({ method }) => method === 'GET')
for (const operation of reads.slice(0, given.n)) {
  for (const [url, names] of addresses(operation)) {
    const one = { where: operation.path, ...(await attack(url, names)) }
    tried.push(one)
    progress(`${one.where}: ${one.parameters} parameters, ${one.found.length} found`)
  }
}
const sum = (of: (one: Tried) => number): number => tried.reduce((total, one) => total + of(one), 0)
const faults = [
  ...tried.flatMap(({ where, found }) => found.map((name) => `${where}: ${name} is injectable`)),
  ...tried.filter(({ ended }) => !ended).map(({ where }) => `${where}: sqlmap did not end well`),
  ...(control.found.length === 0 ? ['sqlmap did not find the glued statement'] : []),
  ...(await target.stats()).flatMap(({ errors, last_error }) =>
    errors > 0 ? [`${errors} failures of our own: ${last_error}`] : [],
  ),
  ...(target.deaths() > 0 ? ['the process ended'] : []),
]
report('injection', given, {
  figures: [
    {
      what: 'routes and their parameters',
      measured: `${tried.length}, ${sum((one) => one.parameters)}`,
    },
    { what: 'injectable', measured: sum((one) => one.found.length), goal: '0' },
    {
      what: 'found at the concatenated statement',
      measured: control.found.join(', ') || 'nothing',
    },
    { what: 'refusals sqlmap counted', measured: sum((one) => one.refusals) },
  ],
  faults,
})
await target.close()
