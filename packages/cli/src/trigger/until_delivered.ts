import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectHistory, Signal } from 'gapura'
import type { Call } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import type { Scene } from './scenario.ts'

const LOOK_EVERY_MS = 100
/** A notification takes milliseconds; after this none is coming, and the gateway is asked. */
const NOTIFIED_WITHIN_MS = 3_000
const TOLD_WITHIN_MS = 20_000

interface Awaited {
  signal: Signal
  /** Events up to this sequence happened before. */
  after: number
}

/** Waits until the event is in the outbox, and then until every subscriber has come past it. */
export async function untilTold(
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
    if (waited_ms > TOLD_WITHIN_MS) throw untold(signal, event?.waiting)
    if (event === undefined && !asked && waited_ms > NOTIFIED_WITHIN_MS) {
      asked = true
      call.output.progress('no notification came; asking the gateway instead')
      await scene.refresh()
    }
    await sleep(LOOK_EVERY_MS)
  }
}

const untold = (signal: Signal, waiting: readonly string[] | undefined): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.failure,
    code: 'not_told',
    message:
      waiting === undefined
        ? `${signal} did not happen within ${TOLD_WITHIN_MS / 1000} s`
        : `${signal} is written down, and ${waiting.join(', ')} was not told yet`,
    advice:
      waiting === undefined
        ? ['Ask why with gapura doctor; of a payment, see what did with gapura payments show.']
        : [
            'Is the process running that subscribes under that name? --no-wait does not wait for it.',
          ],
  })
