// The service packed as it would be published, installed with Next into a directory of its own.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      // Next evaluates routes while it builds; the service connects only when it is used.
      DATABASE_URL: 'postgres://127.0.0.1/nowhere',
      GAPURA_SCHEMA: 'gapura',
      GATEWAY_SERVER_KEY: 'SB-Mid-server-build',
      GATEWAY_BASE_URL: 'http://127.0.0.1:9',
    },
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Installs these packages and the service beside the application in the folder, and builds it. */
export function buildApp(folder: string, packages: readonly string[]): void {
  const service = path.resolve('packages/service')
  run('npm', ['run', '--silent', 'build'], service)
  run('npm', ['pack', '--silent', '--pack-destination', folder], service)
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const wanted = [...packages, ...packed.map((name) => `./${name}`)]
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], folder)
  run('npx', ['next', 'build'], folder)
}

/** Runs one test file against the application and returns its exit code. */
export function testApp(folder: string, file: string): number {
  const { status } = spawnSync('vitest', ['run', '--config', 'vitest.next.config.ts', file], {
    stdio: 'inherit',
    env: { ...process.env, GAPURA_NEXT_APP: folder },
  })
  return status ?? 1
}
