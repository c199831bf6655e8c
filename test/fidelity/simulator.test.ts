// The simulator against the gateway's published replies and notifications: brought to the same case,
// it must carry at least the same fields, of the same JSON types, and the same codes and statuses.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Rig } from '../../packages/simulator/test/rig.ts'
import { named, samplesArePresent, samplesInScope, type Sample } from './samples.ts'
import { FIELD_DIFFERENCES } from './simulator_differences.ts'
import { NOTIFICATIONS } from './simulator_notifications.ts'
import { REPLIES } from './simulator_replies.ts'
import { REFUSED, SENDS } from './simulator_requests.ts'
import type { Scenario } from './simulator_steps.ts'

type Fields = Record<string, unknown>

/** What says which case it is; these must agree in value and not only in type. */
const CASE_FIELDS = new Set(['status_code', 'transaction_status', 'account_status', 'status'])

const nameOf = ({ file }: Sample): string => path.basename(file, '.json')

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** Every path of the sample that the actual value lacks, or holds with another type or case. */
function differences(sample: unknown, actual: unknown, at = ''): string[] {
  // The gateway omits null fields elsewhere; a null in a sample promises nothing.
  if (sample === null) return []
  if (kindOf(sample) !== kindOf(actual)) return [at]
  if (Array.isArray(sample) && Array.isArray(actual)) {
    return sample.length === 0 ? [] : differences(sample[0], actual[0], `${at}[0]`)
  }
  if (typeof sample === 'object') {
    const fields = actual as Fields
    return Object.entries(sample as Fields).flatMap(([key, value]) => {
      const inner = at === '' ? key : `${at}.${key}`
      if (CASE_FIELDS.has(key) && value !== fields[key]) return [inner]
      return differences(value, fields[key], inner)
    })
  }
  return []
}

const allowed = (sample: Sample): string[] =>
  FIELD_DIFFERENCES.filter(({ samples }) => samples.includes(nameOf(sample))).flatMap(
    ({ fields }) => fields,
  )

function check(scenarios: Record<string, Scenario>, rig: Rig) {
  return async (_file: string, sample: Sample): Promise<void> => {
    const scenario = scenarios[nameOf(sample)]
    if (!scenario) throw new Error('nothing brings the simulator to this case')
    const actual = await scenario(rig)
    // Exactly the listed ones: a difference that has gone must leave the list too.
    expect(differences(sample.body, actual).sort()).toEqual(allowed(sample).sort())
  }
}

describe.skipIf(!samplesArePresent)('the simulator replies as published', () => {
  const rig = new Rig().install()
  test.each(named(samplesInScope('reply')))('%s', check(REPLIES, rig))
})

describe.skipIf(!samplesArePresent)('the simulator notifies as published', () => {
  const rig = new Rig().install()
  test.each(named(samplesInScope('notification')))('%s', check(NOTIFICATIONS, rig))
})

describe.skipIf(!samplesArePresent)('the simulator takes what the gateway says it takes', () => {
  const rig = new Rig().install()
  test.each(named(samplesInScope('request')))('%s', async (file, sample) => {
    const send = SENDS[sample.operation]
    if (!send) throw new Error(`nothing sends a ${sample.operation}`)
    const answer = await send(rig, sample.body as Fields)
    const code = Number(answer.body['status_code'] ?? answer.http_status)
    const expected = file in REFUSED ? [400] : [200, 201]
    expect(expected.includes(code) ? 'as expected' : answer.body).toBe('as expected')
  })
})
