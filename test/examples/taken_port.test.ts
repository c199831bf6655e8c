// An example on a port that is taken ends with a message; it must not run on without listening.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'

const schema = freshSchemaName()
afterAll(async () => await dropService(schema))

test.each([
  ['checkout', 'server.ts'],
  ['express', 'server.ts'],
  ['fastify', 'server.ts'],
  ['hono', 'server.ts'],
  ['nestjs', 'dist/main.js'],
  ['ship_once', 'server.ts'],
])(
  '%s says that its port is taken and ends',
  async (folder, file) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const child = spawn('node', [file], {
      cwd: path.resolve('examples', folder),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DATABASE_URL: `${DATABASE_URL}?options=-c%20search_path%3D${schema}`,
        GAPURA_SCHEMA: schema,
        GAPURA_PORT: String(port),
        GATEWAY_SERVER_KEY: 'SB-Mid-server-taken',
        GATEWAY_BASE_URL: 'http://127.0.0.1:1',
      },
    })
    const printed = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await once(child, 'close')) as [number | null]
    taken.close()
    expect((await printed).join('')).toContain('EADDRINUSE')
    expect(code).not.toBe(0)
  },
  60_000,
)
