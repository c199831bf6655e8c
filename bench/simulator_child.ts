// The gateway in its own process. It answers at once and sends no notifications.
import { createSimulator } from '@gapura/simulator'

const { server_key } = JSON.parse(process.argv[2] ?? '{}') as { server_key: string }
const simulator = await createSimulator({ port: 0, server_key, seed: 1 })
process.stderr.write(`${simulator.url}\n`)
process.on('SIGTERM', () => void simulator.close())
