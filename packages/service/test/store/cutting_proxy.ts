import { connect, createServer, type AddressInfo } from 'node:net'
import { DATABASE_URL } from './test_database.ts'

interface CuttingProxy {
  url: string
  close: () => void
}

interface Cuts {
  /** Commits that pass before the first one that does not. */
  after?: number
  /** How many are cut; later connections pass. */
  times?: number
}

/** The server's word for the end of a transaction. */
const ENDS = ['COMMIT\0', 'ROLLBACK\0']

/** A proxy to the database that breaks at a client's commit: before or after passing it on. */
export async function cuttingProxy(
  when: 'before' | 'after',
  { after = 0, times = Number.POSITIVE_INFINITY }: Cuts = {},
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(DATABASE_URL)
  let said = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let committing = false
    const ignore = (): void => undefined
    near.on('error', ignore)
    far.on('error', ignore)
    near.on('data', (bytes) => {
      const commits = bytes.includes('commit\0')
      if (commits) said += 1
      const cut = commits && said > after && said <= after + times
      if (!cut || when === 'after') far.write(bytes)
      if (!cut) return
      // The server's answer is what gets lost, so it waits for it.
      committing = true
      if (when === 'before') near.destroy()
    })
    far.on('data', (bytes) => {
      // Replies to statements sent together with the commit come before it is done.
      const is_done = ENDS.some((tag) => bytes.includes(tag))
      if (committing && is_done) near.destroy()
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
