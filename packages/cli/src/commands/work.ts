import { readConfig, startWorkerProcess } from 'gapura'
import type { Command } from '../command.ts'
import { lineLogger, untilStopped } from '../service_process.ts'

export const work: Command = {
  name: 'work',
  summary: 'Run the worker: tasks, sweeps, the resolver, maintenance.',
  details:
    'May run in any number of processes. Your own handlers run in your own process: call gapura.startWorker() there. GAPURA_ADMIN_PORT opens health and metrics. After SIGTERM running jobs end first. Logs are JSON lines on standard output.',
  flags: {
    'reads-per-second': {
      value: 'n',
      summary: 'gateway requests of the sweeps, of all cells together (default 5)',
    },
    jobs: { value: 'n', summary: 'jobs at a time in this process (default 5)' },
  },
  examples: ['gapura work', 'gapura work --reads-per-second 2'],
  run: async (call) => {
    const reads_per_second = call.integer('reads-per-second', { min: 1, max: 1_000 })
    const concurrency_max = call.integer('jobs', { min: 1, max: 100 })
    const config = readConfig(call.environment)
    const logger = lineLogger(call.output, config.log_level)
    const stopping = untilStopped()
    const worker = await startWorkerProcess(config, logger, {
      ...(reads_per_second !== undefined && { reads_per_second }),
      ...(concurrency_max !== undefined && { concurrency_max }),
    })
    await stopping
    await worker.stop()
  },
}
