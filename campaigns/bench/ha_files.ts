// The files of deploy/ha as a user would install them, with other addresses, folders and passwords:
// the campaign runs the files we ship.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { freePort } from './supervised.ts'

const FILES = new URL('../../deploy/ha/', import.meta.url)
const NODES = ['node1', 'node2', 'node3'] as const
/** An address of the nodes' network, or of the machine Gapura runs on, with its port. */
const ADDRESS = /\b(10\.0\.0\.\d|127\.0\.0\.1)(:| port )(\d+)/g

export interface HaFiles {
  patroni: string
  haproxy: string
  nodes: readonly { name: string; environment: Readonly<Record<string, string>> }[]
  /** The local address of what the files call so. */
  at: (address: string) => string
}

const read = (name: string): string => readFileSync(new URL(name, FILES), 'utf8')

/** With every address of the files replaced by a free port of this machine. */
export async function haFiles(): Promise<HaFiles> {
  const texts = { patroni: read('patroni.yml'), haproxy: read('haproxy.cfg') }
  const environments = NODES.map((name) => read(`${name}.env`))
  const all = [...Object.values(texts), ...environments].join('\n')
  const moved = new Map<string, string>()
  for (const [, host, , port] of all.matchAll(ADDRESS)) {
    const address = `${host}:${port}`
    if (!moved.has(address)) moved.set(address, `127.0.0.1:${await freePort()}`)
  }
  const at = (address: string): string => {
    const found = moved.get(address)
    if (found === undefined) throw new RangeError(`deploy/ha has no address ${address}`)
    return found
  }
  const move = (text: string): string =>
    text
      .replaceAll(ADDRESS, (_, host: string, between: string, port: string) =>
        at(`${host}:${port}`).replace(':', between),
      )
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      // For `check addr`, which names the machine without a port.
      .replaceAll(/\b10\.0\.0\.\d\b/g, '127.0.0.1')
  return {
    patroni: move(texts.patroni),
    haproxy: move(texts.haproxy),
    nodes: NODES.map((name, index) => ({
      name,
      environment: onlyStrings(parseEnv(move(environments[index] ?? ''))),
    })),
    at,
  }
}

const onlyStrings = (values: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
