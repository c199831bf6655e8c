// Sends every input that was once answered wrongly to the ordinary service, and judges the answer
// as the campaign does.
import { createSimulator, type Simulator } from '@gapura/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../packages/service/src/domain/caller.ts'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { startServer, type RunningServer } from '../../packages/service/src/main/server.ts'
import { verifyDatabase } from '../../packages/service/src/main/verify.ts'
import { DATABASE_URL, useDatabase } from '../../packages/service/test/store/test_database.ts'
import { seeded } from '../bench/random.ts'
import { inputOf, readSeeds } from './findings.ts'
import { openGarbledGateway, type GarbledGateway } from './garbled_gateway.ts'
import type { World } from './input.ts'
import { judge } from './judge.ts'
import { Line, send } from './lines.ts'
import { somePayments } from './target.ts'

const database = useDatabase()
const SERVER_KEY = 'SB-Mid-server-seeds'
const errors: string[] = []
const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, message: string) => {
    errors.push(`${message} ${JSON.stringify(fields)}`)
  },
}
interface Parts {
  simulator: Simulator
  gateway: GarbledGateway
  plain: RunningServer
  garbled: RunningServer
  world: World
}
let parts: Parts | undefined

const serve = async (base_url: string): Promise<RunningServer> =>
  await startServer(
    {
      host: '127.0.0.1',
      port: 0,
      admin: null,
      drain_ms: 0,
      gapura: {
        databaseUrl: DATABASE_URL,
        schema: database.db.schema,
        gateway: { server_key: SERVER_KEY, base_url, retry_delay_ms: 1, breaker_rest_ms: 1 },
      },
    },
    logger,
  )

beforeAll(async () => {
  const simulator = await createSimulator({ port: 0, seed: 7, server_key: SERVER_KEY })
  const gateway = await openGarbledGateway(simulator.url, seeded(1))
  const plain = await serve(simulator.url)
  const garbled = await serve(gateway.url)
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: database.db.schema,
    gateway: { server_key: SERVER_KEY, base_url: simulator.url },
  })
  const owner = { name: 'till', owner_id: 'ani', staff: false, scopes: [...SCOPES] }
  const { key } = await gapura.createApiKey(owner)
  await gapura.close()
  const payments = await somePayments(plain.url, key)
  const jwt = { secret: '', issuer: '', audience: '' }
  const world = {
    keys: [key],
    staff_key: key,
    honest_key: key,
    server_key: SERVER_KEY,
    jwt,
    payments,
  }
  parts = { simulator, gateway, plain, garbled, world }
})

afterAll(async () => {
  await parts?.plain.stop()
  await parts?.garbled.stop()
  await parts?.gateway.close()
  await parts?.simulator.close()
})

const portOf = ({ url }: RunningServer): number => Number(new URL(url).port)

test.each(readSeeds())('$category: $name ($found)', async (seed) => {
  if (parts === undefined) throw new Error('not open')
  const { gateway, plain, garbled, world } = parts
  const port = portOf(seed.category === 'gateway' ? garbled : plain)
  if (seed.answer) {
    const { http_status, body } = seed.answer
    gateway.only({ name: seed.name, http_status, body: Buffer.from(body, 'latin1') })
  }
  const line = new Line(port)
  const input = inputOf(seed, world)
  const heard = await send(line, input)
  line.close()
  expect(judge(input, heard, { secrets: [SERVER_KEY, ...world.keys] })).toEqual([])
  if (seed.category !== 'gateway') expect(errors).toEqual([])
})

test('the invariants of the database hold after all seeds', async () => {
  const { broken } = await verifyDatabase(DATABASE_URL, { schema: database.db.schema })
  expect(broken).toEqual([])
})
