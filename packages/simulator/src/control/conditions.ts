import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { integerAt, textAt, type Fields } from '../wire/fields.ts'
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  parseTime,
  SECOND_MS,
  wibTime,
  wibTimeOfDay,
} from '../wire/times.ts'
import { businessDayAfter } from '../world/business_days.ts'
import { changeSettings, shownSettings } from '../world/settings.ts'
import { fault, route, type ControlRoute } from './reply.ts'

function showClock(host: Host): Reply {
  const { clock } = host.world()
  const next = clock.nextAt()
  return httpReply(200, {
    now: new Date(clock.now()).toISOString(),
    wib: wibTime(clock.now()),
    frozen: clock.frozen,
    due_count: clock.due_count,
    next_due_at: next === undefined ? null : new Date(next).toISOString(),
  })
}

async function setClock(host: Host, call: Call): Promise<Reply> {
  const now = parseTime(textAt(call.body ?? {}, 'now') ?? '')
  if (now === undefined) return fault(400, 'now must be a time; without a zone it means GMT+7')
  await host.world().clock.moveTo(now)
  return showClock(host)
}

const UNITS = {
  milliseconds: 1,
  seconds: SECOND_MS,
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
}

async function advanceClock(host: Host, call: Call): Promise<Reply> {
  const body = call.body ?? {}
  let milliseconds = 0
  for (const [unit, length] of Object.entries(UNITS)) {
    milliseconds += (integerAt(body, unit) ?? 0) * length
  }
  const business_days = integerAt(body, 'business_days')
  if (business_days !== undefined) {
    const { clock, settings } = host.world()
    milliseconds +=
      businessDayAfter(clock.now(), business_days, settings.holidays) -
      (clock.now() - wibTimeOfDay(clock.now()))
  }
  if (milliseconds < 0) return fault(400, 'time only advances; POST /_sim/clock/set can go back')
  await host.world().clock.advance(milliseconds)
  return showClock(host)
}

const setFrozen =
  (frozen: boolean) =>
  async (host: Host): Promise<Reply> => {
    await host.world().clock.setFrozen(frozen)
    return showClock(host)
  }

function addFault(host: Host, call: Call): Reply {
  const rule = host.world().faults.add(call.body ?? {})
  return typeof rule === 'string' ? fault(400, rule) : httpReply(201, { ...rule })
}

function clearFaults(host: Host): Reply {
  host.world().faults.clear()
  return httpReply(200, { faults: [] })
}

function removeFault(host: Host, call: Call): Reply {
  const removed = host.world().faults.remove(paramOf(call, 'id'))
  return removed ? httpReply(200, { removed: true }) : fault(404, 'no such fault')
}

const listFaults = (host: Host): Reply => httpReply(200, { faults: host.world().faults.list() })

const showSettings = (host: Host): Reply => httpReply(200, shownSettings(host.world().settings))

function setSettings(host: Host, call: Call): Reply {
  if (!call.body) return fault(400, 'the body must be a JSON object')
  const faults = changeSettings(host.world().settings, call.body)
  return faults.length > 0 ? fault(400, faults.join('; ')) : showSettings(host)
}

function reset(host: Host, call: Call): Reply {
  const seed = integerAt(call.body ?? {}, 'seed')
  host.reset(seed)
  return overview(host)
}

function overview(host: Host): Reply {
  const world = host.world()
  const seen: Fields = {
    url: world.base_url,
    seed: world.seed,
    now: new Date(world.clock.now()).toISOString(),
    merchant_id: world.settings.merchant_id,
    transactions: world.transactions.size,
    ledger_entries: world.ledger.size,
  }
  return httpReply(200, seen)
}

/** Time, faults, settings and the reset. */
export const CONDITION_ROUTES: ControlRoute[] = [
  route('GET /_sim', overview),
  route('POST /_sim/reset', reset),
  route('GET /_sim/clock', showClock),
  route('POST /_sim/clock/set', setClock),
  route('POST /_sim/clock/advance', advanceClock),
  route('POST /_sim/clock/freeze', setFrozen(true)),
  route('POST /_sim/clock/run', setFrozen(false)),
  route('GET /_sim/faults', listFaults),
  route('POST /_sim/faults', addFault),
  route('DELETE /_sim/faults', clearFaults),
  route('DELETE /_sim/faults/{id}', removeFault),
  route('GET /_sim/settings', showSettings),
  route('PATCH /_sim/settings', setSettings),
  route('POST /_sim/settings', setSettings),
]
