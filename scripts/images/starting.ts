// What a role of the image must do before it is used: refuse, migrate, start in time, be confined.
import { readFileSync } from 'node:fs'
import { until } from './podman.ts'
import type { Report } from './report.ts'
import { running, seconds, statusOf, type Scene } from './scene.ts'

const START_MAX_MS = 2_000
const STARTS = 5
const DRAIN_S = 1

/** A process on tables that are missing must refuse; a second migration must find nothing to do. */
export async function checkMigration(scene: Scene, report: Report): Promise<void> {
  const { containers, role } = scene
  for (const command of ['serve', 'work']) {
    const { code, text } = await containers.run(role(`${command}-early`, [command, '--json']))
    const remedy = /gapura migrate/.exec(text)?.[0]
    const holds = code !== 0 && remedy !== undefined
    report.check(`${command} before migrate`, holds, `exit code ${code}, says: ${remedy}`)
  }
  const applied = async (name: string): Promise<[number, number]> => {
    const { code, stdout } = await containers.run(role(name, ['migrate', '--json']))
    return [code, (JSON.parse(stdout) as { applied: string[] }).applied.length]
  }
  const together = await Promise.all([applied('migrate-1'), applied('migrate-2')])
  const counts = together.map(([, count]) => count)
  report.check(
    'two migrations at once',
    together.every(([code]) => code === 0) && counts.some((count) => count > 0),
    `exit codes ${together.map(([code]) => code).join(' and ')}, applied ${counts.join(' and ')}`,
  )
  const [code, again] = await applied('migrate-3')
  report.check('migrate again', code === 0 && again === 0, `exit code ${code}, applied ${again}`)
}

async function startTimed(scene: Scene, name: string, args: string[], url: string) {
  const admin = new URL(url).port
  const more = name === 'simulator' ? {} : { GAPURA_ADMIN_PORT: admin }
  const began = performance.now()
  const container = await scene.containers.start(
    scene.role(name, args, { ...more, GAPURA_DRAIN_SECONDS: String(DRAIN_S) }),
  )
  scene.running.set(name, container)
  const path = name === 'simulator' ? '/_sim' : '/readyz'
  const answer = async (): Promise<number> => await statusOf(`${url}${path}`)
  await until(answer, (status) => status === 200, { what: `${name} ready`, within_ms: 30_000 })
  const ready_ms = Date.now()
  return {
    container,
    with_engine_ms: performance.now() - began,
    ms: ready_ms - container.started_ms,
    processor_ms: container.processor_ms,
  }
}

/** From the start of the process to its first 200, and with the engine's own time before. */
export async function checkStarts(scene: Scene, report: Report): Promise<void> {
  const notify = `--notification-url=${scene.api_url}/notification/`
  const port = `--port=${new URL(scene.simulator_url).port}`
  const simulator = await startTimed(
    scene,
    'simulator',
    ['simulate', port, notify],
    scene.simulator_url,
  )
  report.check('simulator started', true, `answers after ${seconds(simulator.ms)}`)
  for (const [name, command, url] of [
    ['api', 'serve', scene.admin_url],
    ['worker', 'work', scene.worker_url],
  ] as const) {
    const times: number[] = []
    const with_engine: number[] = []
    const processor: number[] = []
    for (let count = 1; count <= STARTS; count++) {
      const { container, ...took } = await startTimed(
        scene,
        `${name}-${count}`,
        [command, '--json'],
        url,
      )
      times.push(took.ms)
      with_engine.push(took.with_engine_ms)
      processor.push(took.processor_ms)
      scene.running.set(name, container)
      if (count === STARTS) break
      container.signal('KILL')
      await container.ended(5_000)
    }
    const middle = (all: readonly number[]): number =>
      all.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Infinity
    const range = `${seconds(Math.min(...times))} to ${seconds(Math.max(...times))}`
    report.check(
      `${name} ready`,
      middle(times) <= START_MAX_MS,
      `after ${seconds(middle(times))}, the middle of ${STARTS} (${range}; limit ` +
        `${seconds(START_MAX_MS)}); with the engine ${seconds(middle(with_engine))}, ` +
        `processor time ${seconds(middle(processor))}`,
    )
  }
}

const TRY_TO_WRITE = `const fs = require('node:fs')
for (const file of ['/app/x', '/tmp/x', '/x']) {
  try { fs.writeFileSync(file, ''); console.log('wrote ' + file) } catch (error) { console.log(error.code) }
}`

/** By what the kernel says of the process, not by what was asked of the engine. */
export function checkConfinement(scene: Scene, report: Report): void {
  for (const name of ['api', 'worker', 'simulator']) {
    const container = running(scene, name)
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8')
    const field = (key: string): string =>
      new RegExp(`^${key}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? ''
    const users = `${field('Uid')} ${field('Gid')}`.split(/\s+/)
    const holds =
      users.every((id) => id === '1000') &&
      ['CapEff', 'CapPrm', 'CapBnd'].every((key) => /^0+$/.test(field(key))) &&
      field('NoNewPrivs') === '1' &&
      field('Seccomp') === '2'
    const written = container.exec('node', '-e', TRY_TO_WRITE).text.trim().split(/\s+/)
    const refused = written.length === 3 && written.every((code) => code === 'EROFS')
    report.check(
      `${name} confined`,
      holds && refused,
      `uid ${users[0]}, capabilities ${field('CapEff')}, seccomp ${field('Seccomp')}, writing: ${written.join(' ')}`,
    )
  }
  const ask = `fetch('${scene.admin_url}/livez').then((reply) => process.exit(reply.ok ? 0 : 1))`
  const probe = running(scene, 'api').exec('node', '-e', ask)
  report.check('probe inside', probe.code === 0, `exit code ${probe.code}`)
  const optional = `Promise.all(['nodemailer', '@nats-io/transport-node', '@nats-io/jetstream'].map((name) => import(name)))`
  const loaded = running(scene, 'api').exec('node', '-e', optional)
  report.check('optional packages', loaded.code === 0, loaded.text.trim() || 'bus and e-mail load')
}
