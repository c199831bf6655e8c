// Checks the files of deploy/ without running them; `npm run suite images` runs the image.
import { existsSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isCommand, isSetting } from './settings.ts'

const ROOT = new URL('../..', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const there = (path: string): boolean => existsSync(new URL(path, ROOT))

describe('the Dockerfile', () => {
  const text = read('deploy/Dockerfile')
  const final = text.slice(text.lastIndexOf('\nFROM '))
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  )

  test('passes the linter', () => {
    expect(validate(text)).toEqual([])
  })

  test('runs as a numeric user that is not root, has a health check and needs no shell', () => {
    expect(final).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(final).toMatch(/^HEALTHCHECK /m)
    expect(final).toMatch(/^ENTRYPOINT \["node", /m)
    expect(final).not.toMatch(/^RUN /m)
  })

  test('copies and starts only files that exist, and that its list of ignored files lets through', () => {
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !there(path))).toEqual([])
    const let_through = read('deploy/Dockerfile.dockerignore').match(/(?<=^!).*/gm) ?? []
    const wanted = copied.map((path) => path.replace(/\/$/, ''))
    expect(wanted.toSorted()).toEqual(let_through.toSorted())
    expect(there(/ENTRYPOINT \["node", "([^"]+)"/.exec(final)?.[1] ?? '')).toBe(true)
  })

  test('builds every package that it installs from here', () => {
    const { dependencies } = JSON.parse(read('packages/cli/package.json')) as {
      dependencies: Record<string, string>
    }
    const built = [...text.matchAll(/--workspace=(packages\/\w+)/g)].map(
      ([, folder = '']) => folder,
    )
    const names = built.map(
      (folder) => (JSON.parse(read(`${folder}/package.json`)) as { name: string }).name,
    )
    expect(names.toSorted()).toEqual(
      [...Object.keys(dependencies), '@gapura/cli', '@gapura/dashboard'].toSorted(),
    )
  })

  test('sets only variables that the service reads', () => {
    const names = text.match(/\bGAPURA_\w+(?==)/g) ?? []
    expect(names).toHaveLength(3)
    expect(names.filter((name) => !isSetting(name))).toEqual([])
  })
})

interface ComposeService {
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  ports?: string[]
}

describe('the compose file', () => {
  const { services } = parse(read('deploy/docker-compose.yml'), { merge: true }) as {
    services: Record<string, ComposeService>
  }

  test('has the database, the simulator and every process', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'simulator', 'migrate', 'api', 'worker'])
  })

  test.each(['simulator', 'migrate', 'api', 'worker'])(
    '%s: known command and settings, nothing to write to',
    (name) => {
      const { command = [], environment = {}, read_only, cap_drop } = services[name] ?? {}
      expect(isCommand(command[0] ?? '')).toBe(true)
      expect(Object.keys(environment).filter((setting) => !isSetting(setting))).toEqual([])
      expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    },
  )

  test('is reachable from its own machine only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? [])
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })
})

describe.each([
  ['gapura-api', 'serve'],
  ['gapura-worker', 'work'],
  ['gapura-migrate', 'migrate'],
])('the systemd unit %s', (name, command) => {
  const unit = read(`deploy/systemd/${name}.service`)

  test('runs a command and sets only settings that exist, without root', () => {
    expect(unit).toMatch(
      new RegExp(`^ExecStart=/usr/bin/node \\S+/dist/main/run.js ${command}$`, 'm'),
    )
    expect(isCommand(command)).toBe(true)
    const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, setting = '']) => setting)
    expect(settings.filter((setting) => !isSetting(setting))).toEqual([])
    expect(unit).toMatch(/^User=gapura$/m)
    expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
  })

  test('allows more time than a shutdown takes', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(45)
  })
})
