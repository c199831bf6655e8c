#!/usr/bin/env node
import { createSimulator, type SimulatorOptions } from './simulator.ts'

const PORT_MAX = 65_535

/** Options from the environment; a setting that cannot be read stops the start. */
function optionsFrom(environment: NodeJS.ProcessEnv): SimulatorOptions {
  const text = (name: string): string | undefined => environment[`SIMULATOR_${name}`]
  const number = (name: string, max: number): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const parsed = Number(value)
    if (!Number.isInteger(parsed) || parsed < 0 || parsed > max)
      throw new Error(`SIMULATOR_${name} must be a whole number from 0 to ${max}`)
    return parsed
  }
  const chosen = {
    port: number('PORT', PORT_MAX),
    host: text('HOST'),
    server_key: text('SERVER_KEY'),
    client_key: text('CLIENT_KEY'),
    merchant_id: text('MERCHANT_ID'),
    notification_url: text('NOTIFICATION_URL'),
    recurring_notification_url: text('RECURRING_NOTIFICATION_URL'),
    pay_account_notification_url: text('PAY_ACCOUNT_NOTIFICATION_URL'),
    public_url: text('PUBLIC_URL'),
    seed: number('SEED', 0x7fff_ffff),
    frozen_clock: text('FROZEN_CLOCK') === 'true',
  }
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
}

const options = optionsFrom(process.env)
const simulator = await createSimulator(options)
const { url, server_key, client_key, seed } = simulator

// So that a first try sees a notification that was really sent and answered.
if (options.notification_url === undefined) {
  const sink = `${url}/_sim/sink`
  await fetch(`${url}/_sim/settings`, {
    method: 'PATCH',
    body: JSON.stringify({
      notification_url: sink,
      recurring_notification_url: options.recurring_notification_url ?? sink,
      pay_account_notification_url: options.pay_account_notification_url ?? sink,
    }),
  })
}

process.stdout.write(`Gapura simulator listens on ${url} (open it in a browser)
  server key ${server_key}
  client key ${client_key}
  seed       ${seed}
  webhooks   to ${options.notification_url ?? `${url}/_sim/sink (set SIMULATOR_NOTIFICATION_URL)`}

Charge a BCA virtual account, pay it, and see the notification that was sent:

  curl -s -u ${server_key}: ${url}/v2/charge -H 'content-type: application/json' \\
    -d '{"payment_type":"bank_transfer","bank_transfer":{"bank":"bca"},"transaction_details":{"order_id":"order-1","gross_amount":44000}}'
  curl -s -X POST ${url}/_sim/transactions/order-1/pay
  curl -s '${url}/_sim/deliveries?order_id=order-1'
`)

let closing = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal while connections close must not start a second close.
    if (closing) return
    closing = true
    void simulator.close()
  })
}
