// There is no container engine on every machine, but the compose file's commands, settings and order
// can be held to: they are run here as processes, with the names of the containers for addresses.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import {
  DATABASE_URL,
  dropService,
  eventually,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'
import { freePort } from '../../scripts/quickstart/free_port.ts'

interface Service {
  command?: string
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
}

const folder = new URL('../../examples/standalone/', import.meta.url)
const { services } = parse(readFileSync(new URL('compose.yaml', folder), 'utf8'), {
  merge: true,
}) as { services: Record<string, Service> }

const schema = freshSchemaName()
let ports: { api: number; simulator: number } = { api: 0, simulator: 0 }

/** The addresses inside the composition, as they are outside of it. */
const outside = (text: string): string =>
  text
    .replace(/postgres:\/\/gapura:gapura@database:5432\/gapura/, DATABASE_URL)
    .replace('http://simulator:4010', `http://127.0.0.1:${ports.simulator}`)
    .replace('http://api:3000', `http://127.0.0.1:${ports.api}`)
    .replace('0.0.0.0', '127.0.0.1')
    .replace('--port 4010', `--port ${ports.simulator}`)

function partsOf(name: string) {
  const { command = '', environment = {} } = services[name] ?? {}
  const settings = Object.entries(environment).map(([key, value]) => [key, outside(value)])
  const env = {
    ...process.env,
    ...Object.fromEntries(settings),
    ...(environment['GAPURA_PORT'] === '3000' && { GAPURA_PORT: String(ports.api) }),
    GAPURA_SCHEMA: schema,
  }
  const bin = new URL('../../node_modules/.bin/gapura', import.meta.url).pathname
  return { bin, args: outside(command).split(' '), env }
}

test('the composition: migrated, served, worked, and a charge paid', async () => {
  ports = { api: await freePort(), simulator: await freePort() }
  const started: ChildProcess[] = []
  onTestFinished(async () => {
    for (const child of started) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode !== null) continue
      child.kill('SIGTERM')
      await ended
    }
    await dropService(schema)
  })
  const start = (name: string): void => {
    const { bin, args, env } = partsOf(name)
    started.push(spawn(bin, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }))
  }
  start('simulator')
  const migrated = partsOf('migrate')
  expect(spawnSync(migrated.bin, migrated.args, { env: migrated.env }).status).toBe(0)
  for (const name of ['api', 'worker']) {
    expect(services[name]?.depends_on?.['migrate']?.condition).toBe(
      'service_completed_successfully',
    )
    start(name)
  }
  const url = `http://127.0.0.1:${ports.api}/pay`
  const keys = 'keys create --owner shop --name checkout --scope payments:write --json'
  const made = spawnSync(migrated.bin, keys.split(' '), { env: migrated.env, encoding: 'utf8' })
  const { key } = JSON.parse(made.stdout) as { key: string }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ready = async (): Promise<number> =>
    await fetch(`${url}/payments/`, { headers }).then(
      ({ status }) => status,
      () => 0,
    )
  expect(await eventually(ready, (status) => status === 200, 60_000)).toBe(200)
  const body = JSON.stringify({ payment_type: 'qris', gross_amount: 44_000 })
  const charged = await fetch(`${url}/charge/`, { method: 'POST', headers, body })
  expect(charged.status).toBe(201)
  const { id, order_id } = (await charged.json()) as { id: string; order_id: string }
  const pay = `http://127.0.0.1:${ports.simulator}/_sim/transactions/${order_id}/pay`
  expect((await fetch(pay, { method: 'POST' })).status).toBe(200)
  const paid = await eventually(
    async () =>
      (await (await fetch(`${url}/payments/${id}/`, { headers })).json()) as { is_paid: boolean },
    ({ is_paid }) => is_paid,
  )
  expect(paid.is_paid).toBe(true)
}, 120_000)
