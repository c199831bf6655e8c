// The image in use: a payment, an end by SIGTERM, and an end by SIGKILL with a charge at the gateway.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { until, type Container } from './podman.ts'
import type { Report } from './report.ts'
import { running, seconds, statusOf, type Scene } from './scene.ts'

/** What the documentation asks an operator to allow a process. */
const STOP_MAX_MS = 45_000
const SLOW_CHARGE_MS = 3_000
const RESOLVED_WITHIN_MS = 120_000

let bearer = ''

interface Charged {
  status: number
  id: string
  order_id: string
}

const isMade = (status: number): boolean => status === 200 || status === 201

const charge = async (scene: Scene, key: string): Promise<Charged> => {
  const reply = await fetch(`${scene.api_url}/charge/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ payment_type: 'qris', gross_amount: 44_000 }),
  })
  const { id = '', order_id = '' } = (await reply.json()) as { id?: string; order_id?: string }
  return { status: reply.status, id, order_id }
}

const simulate = async (scene: Scene, path: string, body: object = {}): Promise<void> => {
  const reply = await fetch(`${scene.simulator_url}/_sim/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`the simulator refused ${path}: ${await reply.text()}`)
}

async function settled(
  scene: Scene,
  { id, order_id }: { id: string; order_id: string },
): Promise<void> {
  await simulate(scene, `transactions/${order_id}/pay`)
  const ask = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${bearer}` }
    return await (await fetch(`${scene.api_url}/payments/${id}/`, { headers })).text()
  }
  await until(ask, (text) => text.includes('"settlement"'), {
    what: 'settlement',
    within_ms: 20_000,
  })
}

/** A key made in the image, the dashboard, a charge, and the payer's money. */
export async function checkUse(scene: Scene, report: Report): Promise<void> {
  const args = ['keys', 'create', '--owner=shop', '--name=suite', '--json']
  const { code, stdout } = await scene.containers.run(scene.role('keys', args))
  bearer = (JSON.parse(stdout) as { key: string }).key
  report.check('keys create', code === 0 && bearer !== '', `exit code ${code}`)
  const page = await fetch(`${scene.api_url}/dashboard/`)
  const html = await page.text()
  const [, script = ''] = /src="(\.\/[^"]+\.js)"/.exec(html) ?? []
  const loaded = await statusOf(new URL(script, `${scene.api_url}/dashboard/`).href)
  report.check(
    'dashboard',
    page.status === 200 && loaded === 200,
    `${page.status}, script ${loaded}`,
  )
  const made = await charge(scene, randomUUID())
  await settled(scene, made)
  report.check('charge', isMade(made.status), `${made.status}, then settled`)
}

/** One charge that the gateway answers late. */
const slow = { effect: 'delay', match: { operation: 'charge' }, times: 1 }

async function slowCharge(scene: Scene, key: string): Promise<{ answer: Promise<Charged> }> {
  await simulate(scene, 'faults', { ...slow, options: { ms: SLOW_CHARGE_MS } })
  const answer = charge(scene, key)
  // The check that awaits it sees its failure.
  answer.catch(() => undefined)
  await sleep(500)
  return { answer }
}

/** Waits for the end from before the signal on. */
function signalled(container: Container, signal: 'TERM' | 'KILL') {
  const ended = container.ended(STOP_MAX_MS)
  container.signal(signal)
  return { ended }
}

async function checkStop(scene: Scene, report: Report, name: string): Promise<void> {
  const { code, ms } = await signalled(running(scene, name), 'TERM').ended
  report.check(`${name} ended by SIGTERM`, code === 0, `exit code ${code} after ${seconds(ms)}`)
}

/** A charge in progress is answered, readiness goes first, and the process ends by itself. */
export async function checkStops(scene: Scene, report: Report): Promise<void> {
  const api = running(scene, 'api')
  const { answer } = await slowCharge(scene, randomUUID())
  const { ended } = signalled(api, 'TERM')
  await until(
    async () => await statusOf(`${scene.admin_url}/readyz`),
    (status) => status === 503,
    { what: 'not ready', within_ms: 900 },
  )
  const alive = await statusOf(`${scene.admin_url}/livez`)
  const { status } = await answer
  const { code, ms } = await ended
  report.check('api ended by SIGTERM', code === 0, `exit code ${code} after ${seconds(ms)}`)
  report.check('probes meanwhile', alive === 200, `readyz 503, livez ${alive}`)
  report.check(
    'charge meanwhile',
    isMade(status),
    `answered ${status}, though the gateway took ${seconds(SLOW_CHARGE_MS)}`,
  )
  await ready(scene, api)
  await checkStop(scene, report, 'worker')
  await running(scene, 'worker').restart()
}

async function ready(scene: Scene, container: Container): Promise<number> {
  const began = performance.now()
  await container.restart()
  await until(
    async () => await statusOf(`${scene.admin_url}/readyz`),
    (status) => status === 200,
    { what: 'ready again', within_ms: 30_000 },
  )
  return performance.now() - began
}

/** Killed with a charge at the gateway: the same request gets its one payment after the restart. */
export async function checkKill(scene: Scene, report: Report): Promise<void> {
  const api = running(scene, 'api')
  const key = randomUUID()
  const { answer } = await slowCharge(scene, key)
  const { code } = await signalled(api, 'KILL').ended
  const lost = await answer.then(
    () => false,
    () => true,
  )
  report.check('api killed', code === 137 && lost, `exit code ${code}, the caller got no answer`)
  report.check('api restarted', true, `ready after ${seconds(await ready(scene, api))}`)
  const began = performance.now()
  const made = await until(
    async () => await charge(scene, key),
    ({ status }) => isMade(status),
    { what: 'the repeated charge', within_ms: RESOLVED_WITHIN_MS },
  )
  const took = seconds(performance.now() - began)
  report.check('repeated charge', true, `${made.status} after ${took}`)
  await settled(scene, made)
}

/** Every invariant, and every payment against the gateway's own ledger. */
export async function checkRecords(scene: Scene, report: Report): Promise<void> {
  const args = ['verify', `--simulator=${scene.simulator_url}`, '--json']
  const { code } = await scene.containers.run(scene.role('verify', args))
  report.check('verify', code === 0, `invariants and the gateway's ledger: exit code ${code}`)
  await checkStop(scene, report, 'simulator')
}
