// Every invariant that the database alone can prove or disprove, checked on a running one. Reads
// only.
import type { Database } from '../../store/connection/database.ts'
import { AUDIT } from '../../store/invariants/audit.ts'
import { CHECKOUTS } from '../../store/invariants/checkouts.ts'
import { EVIDENCE } from '../../store/invariants/evidence.ts'
import { GUARDS } from '../../store/invariants/guards.ts'
import { HISTORY } from '../../store/invariants/history.ts'
import {
  EXAMPLES_MAX,
  findViolations,
  type Finding,
  type Inquiry,
  type Invariant,
  type Violation,
} from '../../store/invariants/invariant.ts'
import { LEDGER } from '../../store/invariants/ledger.ts'
import { PAYMENT_ROWS, SEARCH_TERMS } from '../../store/invariants/payment_rules.ts'
import { listStepsMade, listWhoMade, type StepMade } from '../../store/invariants/steps.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { breaksPlainRule } from './plain_rules.ts'
import { isPossible } from './possible_steps.ts'

export interface Checked extends Finding {
  /** The time of the statement that decided it; several invariants may share one. */
  took_ms: number
}

type Ask = (tx: Tx) => Promise<Finding[]>

const asking =
  (inquiry: Inquiry): Ask =>
  async (tx) =>
    await findViolations(tx, inquiry)

const stepsAreAllowed: Ask = async (tx) => {
  const made = await listStepsMade(tx)
  return [
    await findingAbout(
      tx,
      made.filter((step) => !isPossible(step)),
      {
        id: 'I-11',
        promise: 'every step is one the transition tables allow',
      },
    ),
    await findingAbout(tx, made.filter(breaksPlainRule), {
      id: 'I-11a',
      promise: 'no step contradicts what is true of every payment, whatever the tables say',
    }),
  ]
}

async function findingAbout(
  tx: Tx,
  wrong: readonly StepMade[],
  invariant: Invariant,
): Promise<Finding> {
  const examples: Violation[] = []
  for (const step of wrong.slice(0, EXAMPLES_MAX)) {
    const detail = `${step.object_kind} from ${step.from_status ?? 'nothing'} to ${step.to_status} by ${step.source}`
    for (const subject of await listWhoMade(tx, step, 1)) examples.push({ subject, detail })
  }
  const violations = wrong.reduce((sum, { times }) => sum + Number(times), 0)
  return { ...invariant, violations, examples }
}

/** The longest first, so that none runs alone at the end. */
const ASKS: readonly Ask[] = [
  asking(HISTORY),
  ...EVIDENCE.map(asking),
  asking(PAYMENT_ROWS),
  asking(SEARCH_TERMS),
  ...LEDGER.map(asking),
  stepsAreAllowed,
  ...AUDIT.map(asking),
  asking(CHECKOUTS),
  asking(GUARDS),
]

/**
 * Enough memory to compare by hash: a sort on disk would take several times as long, and so does
 * compiling a statement that runs once.
 */
const SETTINGS = "set local work_mem = '256MB'; set local jit = off"

/** More would only share the same processors. */
const AT_ONCE_MAX = 2

/** Progress: statements answered, of how many. */
export type Progressed = (done: number, all: number) => void

/**
 * Checks all of them. Each is one statement with its own snapshot: the service may keep running.
 */
export async function checkInvariants(
  db: Database,
  progressed: Progressed = () => undefined,
): Promise<Checked[]> {
  const waiting = [...ASKS]
  const checked: Checked[] = []
  let done = 0
  const work = async (): Promise<void> => {
    for (let ask = waiting.shift(); ask !== undefined; ask = waiting.shift()) {
      const next = ask
      const findings = await withReadTransaction(db, async (tx) => {
        await tx.query(SETTINGS, [], { prepare: false })
        return await timed(tx, next)
      })
      checked.push(...findings)
      progressed(++done, ASKS.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, work))
  return inOrder(checked)
}

/** The same, one after the other, in one transaction. */
export async function checkInvariantsWithin(tx: Tx): Promise<Checked[]> {
  await tx.query(SETTINGS, [], { prepare: false })
  const checked: Checked[] = []
  for (const ask of ASKS) checked.push(...(await timed(tx, ask)))
  return inOrder(checked)
}

const inOrder = (checked: readonly Checked[]): Checked[] =>
  checked.toSorted((one, other) => one.id.localeCompare(other.id))

async function timed(tx: Tx, ask: Ask): Promise<Checked[]> {
  const began = performance.now()
  const findings = await ask(tx)
  const took_ms = Math.round(performance.now() - began)
  return findings.map((finding) => ({ ...finding, took_ms }))
}
