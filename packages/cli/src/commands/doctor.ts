import { readConfig } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import type { Check } from '../doctor/check.ts'
import { checkClock } from '../doctor/clock_check.ts'
import { checkDatabase } from '../doctor/database_check.ts'
import { checkGateway } from '../doctor/gateway_check.ts'
import { checkNode } from '../doctor/node_check.ts'
import { checkSettings } from '../doctor/settings_check.ts'
import { checkWebhooks } from '../doctor/webhook_check.ts'
import { EXIT } from '../exit_codes.ts'
import type { Output } from '../output.ts'

function webhooksOf(call: Call, sound: boolean) {
  const given = call.text('webhook-url')
  if (given !== undefined && !/^https?:/.test(URL.parse(given)?.protocol ?? '')) {
    throw new UsageError('--webhook-url is an http or https address')
  }
  if (!sound) return { urls: given === undefined ? [] : [given], near: false, production: false }
  const {
    base_url,
    is_production = false,
    notification_urls = [],
  } = readConfig(call.environment).gapura.gateway
  const near =
    base_url !== undefined && /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(base_url).hostname)
  return {
    urls: given === undefined ? notification_urls : [given],
    near,
    production: is_production,
  }
}

async function examine(call: Call): Promise<Check[]> {
  const { environment, output } = call
  const settings = checkSettings(environment)
  const sound = settings.every(({ status }) => status !== 'fail')
  output.progress('asking the database, the gateway and the webhook')
  const [database, gateway, webhooks] = await Promise.all([
    checkDatabase(environment),
    checkGateway(environment, sound),
    checkWebhooks(webhooksOf(call, sound)),
  ])
  const clock = checkClock([
    { name: 'gateway', clock: gateway.clock },
    { name: 'database', clock: database.clock },
  ])
  return [checkNode(), ...settings, ...database.checks, ...gateway.checks, ...webhooks, clock]
}

const MARKS = {
  ok: ['green', '✓'],
  warn: ['yellow', '!'],
  fail: ['red', '✗'],
  skip: ['dim', '-'],
} as const

const WORDS = { ok: 'ok', warn: 'warning', fail: 'FAILED', skip: 'skipped' }

function shown(output: Output, checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, status, detail, remedy }) => {
      const [style, mark] = MARKS[status]
      const word = output.style(style, `${mark} ${WORDS[status].padEnd(7)}`)
      const line = `${word}  ${name.padEnd(width)}  ${detail}`
      return remedy === undefined ? line : `${line}\n${' '.repeat(width + 13)}→ ${remedy}`
    })
    .join('\n')
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check for common faults and print a remedy for each.',
  details:
    'Node, settings, key against environment, database and schema, worker, partitions, failing events, gateway and key, webhook URL, clock. Changes nothing. Fails if a check fails; a warning is not a failure.',
  flags: {
    'webhook-url': {
      value: 'url',
      summary: 'the notification URL in the gateway’s dashboard (default GATEWAY_NOTIFICATION_URL)',
    },
  },
  examples: [
    'gapura doctor',
    'gapura doctor --webhook-url https://shop.example/pay/notification/ --json',
  ],
  run: async (call) => {
    const checks = await examine(call)
    const good = checks.every(({ status }) => status !== 'fail')
    call.output.result({ ok: good, checks }, () => shown(call.output, checks))
    return good ? EXIT.ok : EXIT.failure
  },
}
