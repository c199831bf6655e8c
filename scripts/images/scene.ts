// A database, free ports and the settings of each role.
import { Client } from 'pg'
import { freePort } from '../quickstart/free_port.ts'
import { Containers, type Container, type Role } from './podman.ts'

const SERVER_KEY = 'SB-Mid-server-simulator'

export interface Scene {
  containers: Containers
  /** The role with its settings, and more or other ones. */
  role: (name: string, args: readonly string[], more?: Record<string, string>) => Role
  running: Map<string, Container>
  api_url: string
  admin_url: string
  worker_url: string
  simulator_url: string
  logs: () => string
  close: () => Promise<void>
}

const { PGHOST: host = '127.0.0.1', PGPORT: port = '5432', PGUSER: user = 'root' } = process.env

async function inDatabase(sql: string): Promise<void> {
  const client = new Client({ host, port: Number(port), user, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export async function openScene(image: string): Promise<Scene> {
  const database = `gapura_images_${process.pid}`
  await inDatabase(`create database ${database}`)
  const [api, admin, worker, simulator] = await Promise.all(
    [1, 2, 3, 4].map(async () => await freePort()),
  )
  const containers = new Containers(image)
  const running = new Map<string, Container>()
  const settings = {
    DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
    GATEWAY_SERVER_KEY: SERVER_KEY,
    GATEWAY_BASE_URL: `http://127.0.0.1:${simulator}`,
    GAPURA_HOST: '127.0.0.1',
    GAPURA_PORT: String(api),
    GAPURA_ADMIN_PORT: String(admin),
  }
  return {
    containers,
    running,
    role: (name, args, more = {}) => ({ name, args, environment: { ...settings, ...more } }),
    api_url: `http://127.0.0.1:${api}`,
    admin_url: `http://127.0.0.1:${admin}`,
    worker_url: `http://127.0.0.1:${worker}`,
    simulator_url: `http://127.0.0.1:${simulator}`,
    logs: () =>
      [...running.values()]
        .map(({ name, logs }) => `--- ${name}\n${logs.slice(-3_000)}`)
        .join('\n'),
    close: async () => {
      containers.removeAll()
      await inDatabase(`drop database if exists ${database} with (force)`)
    },
  }
}

export const running = (scene: Scene, name: string): Container => {
  const found = scene.running.get(name)
  if (found === undefined) throw new Error(`${name} does not run`)
  return found
}

export const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
