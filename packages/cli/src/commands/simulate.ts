import { createSimulator } from '@gapura/simulator'
import type { Command } from '../command.ts'
import { record } from '../output.ts'
import { untilStopped } from '../service_process.ts'
import { SimulatorControl } from '../simulator_control.ts'

const PORT = 4010

export const simulate: Command = {
  name: 'simulate',
  summary: 'Run the gateway simulator: charges, payers, signed notifications, faults.',
  details:
    'All data are in memory and end with the process. Its control API is at /_sim; gapura trigger acts as the payer.',
  flags: {
    port: { value: 'port', summary: `where to listen (default ${PORT}; 0: any free one)` },
    host: { value: 'host', summary: 'where to listen (default 127.0.0.1)' },
    'server-key': { value: 'key', summary: 'the server key it accepts' },
    'notification-url': {
      value: 'url',
      summary: 'where notifications go (default: a sink of its own)',
    },
    seed: { value: 'n', summary: 'the same seed and calls give the same ids and faults' },
    'frozen-clock': { summary: 'time stands still until the control API moves it' },
  },
  examples: ['gapura simulate --notification-url http://127.0.0.1:3000/notification/'],
  run: async (call) => {
    const seed = call.integer('seed', { min: 0, max: 999_999_999 })
    const server_key = call.text('server-key')
    const stopping = untilStopped()
    const simulator = await createSimulator({
      port: call.integer('port', { min: 0, max: 65_535 }) ?? PORT,
      host: call.text('host') ?? '127.0.0.1',
      frozen_clock: call.on('frozen-clock'),
      ...(seed !== undefined && { seed }),
      ...(server_key !== undefined && { server_key }),
    })
    const { url, client_key } = simulator
    const notification_url = call.text('notification-url') ?? `${url}/_sim/sink`
    await new SimulatorControl(url).settings({ notification_url })
    const shown = { url, server_key: simulator.server_key, client_key, notification_url }
    call.output.event({ event: 'ready', ...shown }, () =>
      record([
        ['simulator', url],
        ['server key', simulator.server_key],
        ['client key', client_key],
        ['webhooks to', notification_url],
        ['seed', String(simulator.seed)],
      ]),
    )
    await stopping
    await simulator.close()
  },
}
