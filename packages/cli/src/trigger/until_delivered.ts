import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectHistory, Signal } from 'gapura'
import type { Call } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import type { Scene } from './scenario.ts'

const LOOK_EVERY_MS = 100
/** A notification takes milliseconds; after this time the status is read from the gateway. */
const NOTIFIED_WITHIN_MS = 3_000
const DELIVERED_WITHIN_MS = 20_000

interface Awaited {
  signal: Signal
  /** Events up to this sequence happened before. */
  after: number
}

/** Waits until the event is in the outbox, then until every subscriber has processed it. */
export async function untilDelivered(
  call: Call,
  scene: Scene,
  { signal, after }: Awaited,
): Promise<ObjectHistory['events'][number]> {
  const began = Date.now()
  let asked = false
  for (;;) {
    const { events } = await scene.history()
    const event = events.find(({ type, sequence }) => type === signal && sequence > after)
    if (event && (event.waiting.length === 0 || call.on('no-wait'))) return event
    const waited_ms = Date.now() - began
    if (waited_ms > DELIVERED_WITHIN_MS) throw undelivered(signal, event?.waiting)
    if (event === undefined && !asked && waited_ms > NOTIFIED_WITHIN_MS) {
      asked = true
      call.output.progress('no notification arrived; reading the status from the gateway')
      await scene.refresh()
    }
    await sleep(LOOK_EVERY_MS)
  }
}

const undelivered = (signal: Signal, waiting: readonly string[] | undefined): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.failure,
    code: 'not_delivered',
    message:
      waiting === undefined
        ? `${signal} did not happen within ${DELIVERED_WITHIN_MS / 1000} s`
        : `${signal} is recorded, but not delivered to ${waiting.join(', ')} yet`,
    advice:
      waiting === undefined
        ? ['Run gapura doctor; for a payment, gapura payments show prints what happened.']
        : ['Check that the process with this subscriber runs, or use --no-wait.'],
  })
