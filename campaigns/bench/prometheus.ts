// A real Prometheus that scrapes the processes every second, with the shipped rules in seconds for
// minutes.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'yaml'
import { withSecondsForMinutes } from '../../scripts/observability/rules.ts'
import { freePort } from './supervised.ts'

const PROGRAM = '/usr/bin/prometheus'
const RULES = new URL('../../deploy/observability/gapura.rules.yml', import.meta.url)
const READY_WITHIN_MS = 30_000
const SCRAPES_MIN = 3

export const isInstalled = (): boolean => existsSync(PROGRAM)

interface AlertShown {
  state: 'firing' | 'pending'
  labels: Record<string, string>
}

export class Prometheus {
  readonly #url: string
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(port: number, folder: string) {
    this.#url = `http://127.0.0.1:${port}`
    this.#folder = folder
    this.#child = spawn(
      PROGRAM,
      [
        `--config.file=${path.join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    process.on('exit', this.#destroy)
  }

  /**
   * With an empty memory: what happened before its start is not seen. Resolves when it has scraped
   * each target a few times, which begins seconds after it is ready.
   */
  static async start(ports: readonly number[]): Promise<Prometheus> {
    const folder = mkdtempSync(path.join(tmpdir(), 'gapura-prometheus-'))
    const rules = withSecondsForMinutes(readFileSync(RULES, 'utf8'))
    writeFileSync(path.join(folder, 'gapura.rules.yml'), rules)
    const targets = ports.map((port) => `127.0.0.1:${port}`)
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['gapura.rules.yml'],
      scrape_configs: [{ job_name: 'gapura', static_configs: [{ targets }] }],
    }
    writeFileSync(path.join(folder, 'prometheus.yml'), stringify(config))
    const started = new Prometheus(await freePort(), folder)
    await started.#until('ready', async () => (await fetch(`${started.#url}/-/ready`)).ok)
    await started.#until('scraping', async () => await started.#hasScraped(ports.length))
    return started
  }

  /** The alerts that fire: name, kind of alarm where there is one, severity. */
  async firing(): Promise<string[]> {
    const { alerts } = await this.#read<{ alerts: AlertShown[] }>('alerts')
    const names = alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels: { alertname = '', kind, severity = '' } }) =>
        [alertname, ...(kind === undefined ? [] : [kind]), severity].join(' '),
      )
    return [...new Set(names)]
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
    process.off('exit', this.#destroy)
    this.#destroy()
  }

  readonly #destroy = (): void => {
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + READY_WITHIN_MS
    while (performance.now() < end) {
      if (await isSo().catch(() => false)) return
      await sleep(50)
    }
    throw new Error(`Prometheus is not ${what}`)
  }

  async #hasScraped(targets: number): Promise<boolean> {
    const query = encodeURIComponent(`count_over_time(up[1m]) >= ${SCRAPES_MIN}`)
    const { result } = await this.#read<{ result: unknown[] }>(`query?query=${query}`)
    return result.length === targets
  }

  async #read<Data>(what: string): Promise<Data> {
    const reply = await fetch(`${this.#url}/api/v1/${what}`)
    return ((await reply.json()) as { data: Data }).data
  }
}
