import { createServer } from 'node:net'

/** The wanted port if it is free, otherwise any free one. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(wanted, '127.0.0.1', () => resolve(true))
  })
  if (!free) return await freePort()
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : wanted
}
