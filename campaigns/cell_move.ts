// An owner with many payments is moved to another cell while it charges and its customers pay, through a
// real HAProxy; the command is killed and repeated. No good request may fail outside of the pause, no
// charge and no notification may be lost or doubled, and every invariant must hold in both cells.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SERVER_KEY } from '../bench/orders.ts'
import { switchMap } from '../packages/cli/src/cells/switch_map.ts'
import { createGapura } from '../packages/service/src/main/create_gapura.ts'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { openDatabase } from '../packages/service/src/store/connection/database.ts'
import { fillHonestly } from '../packages/service/test/invariants/honest_data.ts'
import { readArguments } from './bench/arguments.ts'
import { openCells, type Cell } from './bench/cells_scene.ts'
import { findUnsettled, useObjects } from './bench/moved_calls.ts'
import { makeObjects } from './bench/moved_objects.ts'
import { compareRows, printRows } from './bench/moved_rows.ts'
import { progress, report } from './bench/report.ts'
import { seeded } from './bench/random.ts'

const given = readArguments({ n: 100_000, quick_n: 2_000 }, ['plant'])
const random = seeded(given.seed)
/** All payments of the honest data are of this owner. */
const OWNER = 'owner-0'
const CALLERS = 2
const CHARGE_EVERY_MS = given.quick ? 60 : 100
/** The command is killed a moment after it has begun each of these steps. */
const KILLED_IN = given.quick ? ['copy'] : ['copy', 'freeze', 'settle', 'clean_up']
/** With --plant a row of the copy is deleted after it was copied: the comparison must find it. */
const PLANTED = given.switches.has('plant')
const PAUSE_MS_MAX = 2_000
const TRIES_MAX = 100
const SETTLED_WITHIN_MS = 20_000
const CLI = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))

const scene = await openCells(given.seed)
const { url, cells, simulator_url, folder } = scene
const [old_cell, new_cell] = cells
if (old_cell === undefined || new_cell === undefined) throw new Error('there are no two cells')
const faults: string[] = []

const source = openDatabase(old_cell.cluster.url, { connections_max: 2 })
await fillHonestly(source, given.n, 1)
await source.close()
const gapura = createGapura({
  databaseUrl: old_cell.cluster.url,
  gateway: { server_key: SERVER_KEY, base_url: simulator_url },
  cell: { name: old_cell.name },
})
const { key: OWNER_KEY } = await gapura.createApiKey({ owner_id: OWNER, name: 'till' })
await gapura.close()
// Whatever its bucket, the owner begins in the first cell.
const place = { file: path.join(folder, 'cells.json'), folder }
await switchMap(place, { owner_id: OWNER, key_hashes: [] }, old_cell.name)
const objects = await makeObjects({
  url,
  simulator_url,
  random,
  caller: { owner_id: OWNER, api_key: OWNER_KEY },
  staff_keys: { old: old_cell.staff_key, new: new_cell.staff_key },
})
const payments_before = await printRows(old_cell.pool, new_cell.pool, OWNER)
progress(`${payments_before} payments of ${OWNER} in cell ${old_cell.name}`)

// The load: the owner itself, and one owner of each of the two cells.

interface Caller {
  who: string
  key: string
  good: number
  /** Answers with 503 while writes were refused. */
  refused: number
  failed: string[]
  /** The time from the first refusal of a charge to its success. */
  waits: number[]
}
const callerOf = (who: string, key: string): Caller => ({
  who,
  key,
  good: 0,
  refused: 0,
  failed: [],
  waits: [],
})
const mover = callerOf(OWNER, OWNER_KEY)
const others = [old_cell, new_cell].map(({ owner_id, key }) => callerOf(owner_id, key))
const charged: string[] = []
const paid: string[] = []
const load = { over: false }

/** One charge under its Idempotency-Key, repeated while it is refused. */
async function chargeOnce(caller: Caller, idempotency_key: string): Promise<string | undefined> {
  let refused_at: number | undefined
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const reply = await fetch(`${url}/charge/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller.key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotency_key,
      },
      body: JSON.stringify({ payment_type: 'bank_transfer', bank: 'bca', gross_amount: 44_000 }),
    }).catch(() => undefined)
    const body = (await reply?.json().catch(() => ({}))) as { order_id?: string; code?: string }
    if (reply?.status === 201) {
      caller.good += 1
      if (refused_at !== undefined) caller.waits.push(performance.now() - refused_at)
      return body.order_id
    }
    if (reply?.status !== 503) {
      caller.failed.push(`${String(reply?.status)} ${body.code ?? ''}`)
      return undefined
    }
    caller.refused += 1
    refused_at ??= performance.now()
    await sleep(50)
  }
  caller.failed.push('never answered')
  return undefined
}

const pay = async (order_id: string): Promise<void> => {
  paid.push(order_id)
  await (
    await fetch(`${simulator_url}/_sim/transactions/${order_id}/pay`, { method: 'POST' })
  ).text()
}

const calling = [mover, ...others].flatMap((caller) =>
  Array.from({ length: CALLERS }, async (_, at) => {
    for (let count = 0; !load.over; count++) {
      const order_id = await chargeOnce(caller, `${given.seed}-${at}-${count}`)
      if (caller === mover && order_id !== undefined) {
        charged.push(order_id)
        // A payer of an earlier charge pays: its notification names the cell of then.
        const open = charged.filter((one) => !paid.includes(one))
        if (open.length > 5) await pay(random.pick(open))
      }
      await sleep(CHARGE_EVERY_MS)
    }
  }),
)

// The move, killed and repeated.

const target_env = path.join(folder, 'target.env')
writeFileSync(target_env, `DATABASE_URL=${new_cell.cluster.url}\n`)

function startMove(): { child: ChildProcess; said: () => string; out: () => string } {
  const words = ['cells', 'move', place.file, OWNER]
  const flags = {
    from: old_cell?.name ?? '',
    to: new_cell?.name ?? '',
    'target-env-file': target_env,
    out: folder,
  }
  const given_flags = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const argv = ['--conditions=@gapura/source', CLI, ...words, ...given_flags, '--json']
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, DATABASE_URL: old_cell?.cluster.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  let [said, out] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  return { child, said: () => said, out: () => out }
}

await sleep(2_000)
const began = performance.now()
const stepIs = async (step: string): Promise<boolean> => {
  const { rows } = await old_cell.pool.query<{ step: string }>(
    'select step from gapura.owner_move where owner_id = $1',
    [OWNER],
  )
  return rows[0]?.step === step
}
for (const step of PLANTED ? ['freeze'] : KILLED_IN) {
  const { child } = startMove()
  const exit = once(child, 'exit')
  while (child.exitCode === null && !(await stepIs(step))) await sleep(20)
  await Promise.race([exit, sleep(PLANTED ? 0 : random.fraction() * 1_000)])
  if (child.exitCode !== null) faults.push(`the command ended before it was killed in ${step}`)
  child.kill('SIGKILL')
  await exit
  progress(`killed the command in ${step}`)
}
if (PLANTED) {
  await new_cell.pool.query(
    `delete from gapura.gateway_payment_item where payment_id in (
       select id from gapura.gateway_payment where owner_id = $1 order by id limit 1)`,
    [OWNER],
  )
}
const last = startMove()
const [code] = (await once(last.child, 'exit')) as [number | null]
const took_s = (performance.now() - began) / 1_000
if (code !== 0) faults.push(`the command ended with ${code}: ${last.said()} ${last.out()}`)
const { pause_ms } = JSON.parse(last.out() || '{}') as { pause_ms?: number }
progress(`moved in ${took_s.toFixed(1)} s, pause ${pause_ms} ms`)
await sleep(3_000)
load.over = true
await Promise.all(calling)

// The verdict.

const moved = await compareRows(new_cell.pool, OWNER)
faults.push(...moved.faults)

const countIn = async ({ pool }: Cell, text: string, values: unknown[]): Promise<number> =>
  Number((await pool.query<{ count: string }>(text, values)).rows[0]?.count)
const OF_OWNER = 'select count(*) from gapura.gateway_payment where owner_id = $1'
const SETTLED = `select count(*) from gapura.gateway_payment
  where order_id = any($1::text[]) and transaction_status = 'settlement'`
const STORED = `select count(*) from gapura.gateway_notification
  where order_id = any($1::text[]) and effect = 'applied' and transaction_status = 'settlement'`

const end = performance.now() + SETTLED_WITHIN_MS
while ((await countIn(new_cell, SETTLED, [paid])) < paid.length && performance.now() < end) {
  await sleep(200)
}
const intents = mover.good
const figures = {
  there: await countIn(new_cell, OF_OWNER, [OWNER]),
  left: await countIn(old_cell, OF_OWNER, [OWNER]),
  known: await countIn(new_cell, `${OF_OWNER} and order_id = any($2::text[])`, [OWNER, charged]),
  settled: await countIn(new_cell, SETTLED, [paid]),
  stored: await countIn(new_cell, STORED, [paid]),
  misplaced: await countIn(old_cell, STORED, [paid]),
}
const lost = intents - figures.known
const doubled = figures.there - payments_before - intents
if (lost !== 0) faults.push(`${lost} charges that were answered are not in the new cell`)
if (doubled !== 0) faults.push(`${doubled} payments too many in the new cell`)
if (figures.left > 0) faults.push(`${figures.left} payments are left in the old cell`)
if (figures.misplaced > 0) faults.push(`${figures.misplaced} notifications are in the old cell`)
faults.push(...(await findUnsettled(objects, new_cell.pool, paid)))
for (const { who, failed } of [mover, ...others]) {
  if (failed.length > 0) faults.push(`${failed.length} requests of ${who} failed, as ${failed[0]}`)
}
for (const { who, refused } of others) {
  if (refused > 0) faults.push(`${refused} requests of ${who} were refused`)
}
if (mover.good < 20) faults.push('the owner hardly worked: nothing was proved')
faults.push(...(await useObjects(objects, new_cell.pool)))
for (const { name, cluster } of [old_cell, new_cell]) {
  const { broken } = await verifyDatabase(cluster.url)
  for (const { id, examples } of broken)
    faults.push(`${id} is broken in cell ${name}: ${examples[0]?.subject} ${examples[0]?.detail}`)
}

report('cell-move', given, {
  figures: [
    { what: 'payments of the owner that were moved', measured: payments_before },
    moved.figure,
    {
      what: 'the whole move, with kills',
      measured: `${took_s.toFixed(1)} s, ${KILLED_IN.length} killed`,
    },
    {
      what: 'writes of the owner refused for',
      measured: `${pause_ms ?? '-'} ms`,
      goal: `≤ ${PAUSE_MS_MAX} ms`,
      missed: (pause_ms ?? Infinity) > PAUSE_MS_MAX,
      timed: true,
    },
    {
      what: 'the longest that one of its charges waited',
      measured: `${Math.round(Math.max(0, ...mover.waits))} ms, ${mover.refused} answers 503`,
    },
    {
      what: 'charges during the move: owner, others of the old cell, of the new one',
      measured: [mover, ...others].map(({ good }) => good).join(', '),
    },
    {
      what: 'failed outside of the pause',
      measured: [mover, ...others].reduce((sum, { failed }) => sum + failed.length, 0),
      goal: '0',
    },
    { what: 'charges lost, doubled', measured: `${lost}, ${doubled}`, goal: '0, 0' },
    {
      what: 'paid charges settled in the new cell',
      measured: `${figures.settled} of ${paid.length}, ${figures.stored} by notification`,
      goal: 'all',
    },
  ],
  faults,
})
await scene.close()
process.exit()
