// The process of a container: `node main/run.js serve`, `work` or `migrate`, configured by
// environment variables.
import { readConfig, type ServerConfig } from './config.ts'
import { ConfigError } from './environment_reader.ts'
import { StoreError } from '../store/connection/errors.ts'
import { createGapura } from './create_gapura.ts'
import { jsonLogger } from './json_logger.ts'
import { startServer, startWorkerProcess, stopOnSignal } from './server.ts'
import { endWhenUncaught } from './uncaught.ts'

const log = jsonLogger()
endWhenUncaught(log)

async function migrate({ gapura: options }: ServerConfig): Promise<void> {
  const gapura = createGapura({ logger: log, ...options })
  try {
    log.info({ applied: await gapura.migrate() }, 'migrated')
  } finally {
    await gapura.close()
  }
}

const COMMANDS: Readonly<Record<string, (config: ServerConfig) => Promise<void>>> = {
  serve: async (config) => stopOnSignal(await startServer(config)),
  'serve-with-worker': async (config) =>
    stopOnSignal(await startServer(config, undefined, { worker: {} })),
  work: async (config) => stopOnSignal(await startWorkerProcess(config)),
  migrate,
}

const [, , name = ''] = process.argv
try {
  const command = COMMANDS[name]
  if (command === undefined)
    throw new ConfigError([`say one of ${Object.keys(COMMANDS).join(', ')}`])
  await command(readConfig())
} catch (error) {
  // Settings are named and never shown; of anything else the message could quote one.
  const faults = error instanceof ConfigError ? error.faults : undefined
  const failure = error instanceof Error ? error.name : 'unknown'
  const remedy = error instanceof StoreError ? error.message : undefined
  log.error(
    { command: name, failure, ...(faults && { faults }), ...(remedy && { remedy }) },
    'could not start',
  )
  process.exitCode = 1
}
