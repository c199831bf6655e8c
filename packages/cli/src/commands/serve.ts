import { readConfig, startServer } from 'gapura'
import type { Command } from '../command.ts'
import { lineLogger, untilStopped } from '../service_process.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the API on a port of its own.',
  details:
    'Where is said by GAPURA_HOST, GAPURA_PORT and GAPURA_PREFIX. It does not start on a database that is unfit, not migrated, or of the other environment. GAPURA_ADMIN_PORT opens health and metrics. SIGTERM lets requests under way end. Logs are JSON lines on standard output.',
  flags: { 'with-worker': { summary: 'run the worker in the same process, as small shops do' } },
  examples: ['gapura serve', 'gapura serve --with-worker'],
  run: async (call) => {
    const { environment, output } = call
    const config = readConfig(environment)
    const logger = lineLogger(output)
    const stopping = untilStopped()
    const worker = call.on('with-worker') ? { worker: {} } : {}
    const server = await startServer(config, logger, worker)
    await stopping
    await server.stop()
  },
}
