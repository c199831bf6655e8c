import {
  compareWithLedger,
  readDatabaseAddress,
  verifyDatabase,
  type Checked,
  type ComparedLedger,
} from 'gapura'
import type { Call, Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { SimulatorControl } from '../simulator_control.ts'
import { readLedger } from '../simulator_ledger.ts'

const EXAMPLES_MAX = 3

interface Place {
  databaseUrl: string
  schema?: string | undefined
}

async function compare(call: Call, place: Place): Promise<ComparedLedger | undefined> {
  const url = call.text('simulator')
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !(await new SimulatorControl(url).answers())) throw noSimulator(url)
  call.output.progress('comparing every payment with the simulator’s ledger')
  return await compareWithLedger(
    place.databaseUrl,
    async () => await readLedger(url),
    schemaOf(place),
  )
}

const schemaOf = ({ schema }: Place) => (schema === undefined ? {} : { schema })

const noSimulator = (url: string): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.usage,
    code: 'no_simulator',
    message: `no simulator answers at ${url}`,
    advice: [
      'Give the address gapura dev or gapura simulate printed; leave it out to ask the database alone.',
    ],
  })

function checkedText({ id, promise, violations, examples }: Checked): string {
  const verdict = violations === 0 ? 'holds' : `BROKEN by ${violations}`
  const shown = examples.map(({ subject, detail }) => `\n       ${subject} ${detail}`)
  return `${id.padEnd(6)} ${verdict.padEnd(14)} ${promise}${shown.join('')}`
}

function comparedText({ payments, orders, differences }: ComparedLedger): string {
  const found = differences.filter(({ items }) => items.length > 0)
  const lines = found.map(({ promise, items }) => {
    const shown = items.slice(0, EXAMPLES_MAX).map((item) => `\n       ${item}`)
    return `DIFFERS in ${items.length}: ${promise}${shown.join('')}`
  })
  const gone = found.some(({ items }) => items.some((item) => item.endsWith('no such order')))
  return [
    ...lines,
    ...(gone ? ['A simulator forgets when it ends: orders of an earlier run are not there.'] : []),
    `${payments} payments against ${orders} orders of the ledger, ${found.length} differences`,
  ].join('\n')
}

/** Until the ledger is complete, payments that it lacks are not faults. */
const unbookedText = (payments: number | null): string[] =>
  payments === null
    ? []
    : [
        `the ledger is not complete: ${payments} payments are not booked yet; run gapura ledger backfill`,
      ]

async function verify(call: Call) {
  const { databaseUrl, schema } = readDatabaseAddress(call.environment)
  const began = performance.now()
  call.output.progress('asking for every promise; a large database takes minutes')
  const { checked, broken, unbooked_payments } = await verifyDatabase(databaseUrl, {
    ...schemaOf({ databaseUrl, schema }),
    progressed: (done, all) => call.output.progress(`${done} of ${all} questions answered`),
  })
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(2))
  const ledger = await compare(call, { databaseUrl, schema })
  const agrees = ledger?.differences.every(({ items }) => items.length === 0) ?? true
  const good = broken.length === 0 && agrees
  const found = { ok: good, checked, seconds, unbooked_payments }
  call.output.result({ ...found, ...(ledger && { ledger }) }, () =>
    [
      ...checked.map(checkedText),
      ...unbookedText(unbooked_payments),
      `${checked.length} promises, ${broken.length} broken, ${seconds} s`,
      ...(ledger === undefined ? [] : [comparedText(ledger)]),
    ].join('\n'),
  )
  return good ? EXIT.ok : EXIT.failure
}

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Check every invariant in a running database; nothing is written.',
  details:
    'Needs only DATABASE_URL; a read-only role or a standby is enough. Exit code 1 if an invariant is broken. With --simulator it also compares every payment with the ledger of that simulator, order by order: run it while no payment changes, because a change between the two reads looks like a difference.',
  flags: {
    simulator: {
      value: 'url',
      summary: 'compare with the ledger of the simulator at this address',
    },
  },
  examples: ['gapura verify', 'gapura verify --simulator http://127.0.0.1:4010 --json'],
  run: verify,
}
