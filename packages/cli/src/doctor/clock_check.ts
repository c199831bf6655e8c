import { span } from '../formats.ts'
import { fail, ok, skip, warn, type Check } from './check.ts'

interface OtherClock {
  name: string
  clock: { server: Date; asked: Date } | null
}

const SKEW_MS_WARN = 5_000
const SKEW_MS_FAIL = 30_000

/** Compares this machine's clock with others and reports the largest difference. */
export function checkClock(clocks: readonly OtherClock[]): Check {
  const skews = clocks.flatMap(({ name, clock }) =>
    clock === null ? [] : [{ name, ms: clock.asked.getTime() - clock.server.getTime() }],
  )
  const [worst] = skews.sort((a, b) => Math.abs(b.ms) - Math.abs(a.ms))
  if (worst === undefined) return skip('clock', 'no other clock could be read')
  const off = Math.abs(worst.ms)
  const detail = `this machine is ${span(off)} ${worst.ms > 0 ? 'ahead of' : 'behind'} the ${worst.name}`
  const remedy =
    'Set the clock by NTP (timedatectl set-ntp true); tokens, leases and logs depend on it.'
  if (off > SKEW_MS_FAIL) return fail('clock', detail, remedy)
  if (off > SKEW_MS_WARN) return warn('clock', detail, remedy)
  return ok('clock', `agrees with ${skews.map(({ name }) => name).join(' and ')}`)
}
