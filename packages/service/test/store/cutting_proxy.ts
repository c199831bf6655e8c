import { connect, createServer, type AddressInfo } from 'node:net'
import { DATABASE_URL } from './test_database.ts'

interface CuttingProxy {
  url: string
  close: () => void
}

/**
 * A way to the database that breaks when a client says commit: before or after passing it on. With
 * `once` only the first time, so that whoever comes back finds the way open.
 */
export async function cuttingProxy(
  when: 'before' | 'after',
  { once = false }: { once?: boolean } = {},
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(DATABASE_URL)
  let cut = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let committing = false
    const ignore = (): void => undefined
    near.on('error', ignore)
    far.on('error', ignore)
    near.on('data', (bytes) => {
      const commits = bytes.includes('commit\0') && !(once && cut)
      if (!commits || when === 'after') far.write(bytes)
      if (!commits) return
      cut = true
      // The server's answer is what gets lost, so wait until there is one.
      committing = true
      if (when === 'before') near.destroy()
    })
    far.on('data', (bytes) => {
      if (committing) near.destroy()
      else near.write(bytes)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: DATABASE_URL.replace(`${hostname}:${port}`, `127.0.0.1:${address.port}`),
    close: () => void server.close(),
  }
}
