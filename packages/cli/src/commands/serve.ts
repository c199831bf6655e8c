import { readConfig, startServer } from 'gapura'
import type { Command } from '../command.ts'
import { lineLogger, untilStopped } from '../service_process.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the API on a port of its own.',
  details:
    'GAPURA_HOST, GAPURA_PORT and GAPURA_PREFIX set the address. It does not start on a database that is not suitable, not migrated, or of the other environment. GAPURA_ADMIN_PORT opens health and metrics. After SIGTERM open requests end first. Logs are JSON lines on standard output.',
  flags: { 'with-worker': { summary: 'run the worker in the same process, for small shops' } },
  examples: ['gapura serve', 'gapura serve --with-worker'],
  run: async (call) => {
    const { environment, output } = call
    const config = readConfig(environment)
    const logger = lineLogger(output, config.log_level)
    const stopping = untilStopped()
    const worker = call.on('with-worker') ? { worker: {} } : {}
    const server = await startServer(config, logger, worker)
    await stopping
    await server.stop()
  },
}
