import { createGapura, readConfig } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { record } from '../output.ts'
import { NO_LOG } from '../service_process.ts'
import { staffOf } from '../session.ts'
import { SimulatorControl } from '../simulator_control.ts'
import { isSignal, SCENARIOS, TRIGGERED, type Triggered } from '../trigger/scenarios.ts'
import type { Scenario, Stage } from '../trigger/scenario.ts'
import { untilDelivered } from '../trigger/until_delivered.ts'

/** The existing object to use, if one was named. */
function givenOf(call: Call, { noun }: Scenario): string | undefined {
  const order = call.text('order-id')
  if (order !== undefined && noun !== 'payment') {
    throw new UsageError(`--order-id names a payment; for the ${noun} give --id`)
  }
  return call.text('id') ?? order
}

async function fire(call: Call, signal: Triggered, stage: Stage): Promise<void> {
  const scenario = SCENARIOS[signal]
  const given = givenOf(call, scenario)
  const scene = await scenario.begin(stage, given)
  const { events } = await scene.history()
  // A new object's first events count; of an existing object only events after this point.
  const after = given === undefined ? 0 : (events.at(-1)?.sequence ?? 0)
  call.output.progress(`${scenario.noun} ${scene.id}`)
  await scene.provoke()
  const event = await untilDelivered(call, scene, { signal, after })
  const { object, rows } = await scene.result()
  const waiting = event.waiting.join(', ')
  call.output.result({ event, [scenario.noun]: object }, () =>
    record([
      ['event', event.type],
      ['delivered to', waiting === '' ? 'every subscriber' : `not yet ${waiting}`],
      ...rows,
    ]),
  )
}

async function trigger(call: Call): Promise<void> {
  const signal = call.argument('signal')
  if (!isSignal(signal)) throw new UsageError(`<signal> must be one of ${TRIGGERED.join(', ')}`)
  const { gapura: options } = readConfig(call.environment)
  const { gateway } = options
  const simulator = new SimulatorControl(gateway.base_url ?? '')
  if (!gateway.base_url || !(await simulator.answers())) throw noSimulator()
  const caller = { ...staffOf(call), owner_id: call.text('owner') ?? 'gapura-trigger' }
  const gapura = createGapura({ ...options, logger: NO_LOG })
  try {
    await fire(call, signal, { gapura, caller, simulator, gateway })
  } finally {
    await gapura.close()
  }
}

const noSimulator = (): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.refused,
    code: 'no_simulator',
    message: 'GATEWAY_BASE_URL does not lead to a simulator',
    advice: [
      'Run gapura dev or gapura simulate, and set GATEWAY_BASE_URL to its address.',
      'The real gateway has no simulated payer.',
    ],
  })

export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Make a signal happen: charge, act as the payer, wait until the event is delivered.',
  details: `Signals: ${TRIGGERED.join(', ')}. Needs a simulator. The event takes the same path as any other, so your own subscribers receive it.`,
  arguments: [{ name: 'signal', summary: 'the signal to produce' }],
  flags: {
    'order-id': { value: 'id', summary: 'act on this payment instead of a new one' },
    id: { value: 'id', summary: 'act on the payment, invoice or subscription with this id' },
    owner: { value: 'owner', summary: 'the owner of a new object (default gapura-trigger)' },
    'no-wait': { summary: 'do not wait for the delivery to every subscriber' },
    as: { value: 'person', summary: 'the staff member, for the audit' },
  },
  examples: [
    'gapura trigger payment_settled',
    'gapura trigger payment_refunded --order-id order-1',
    'gapura trigger subscription_charged',
  ],
  run: trigger,
}
