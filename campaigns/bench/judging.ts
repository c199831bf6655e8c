// The whole verdict of a run: our records against the gateway's, the effects of each intent, and
// one event for each transition.
import type { Pool } from 'pg'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import { judgeCheckouts, readCheckouts, readPages } from './checkout_verdict.ts'
import type { Deployment } from './deployment.ts'
import { judgeEvents, type EventRow, type Published, type TransitionRow } from './event_verdict.ts'
import { judgeIntents } from './intent_verdict.ts'
import { acknowledgedBy, outcomeOf, type Intent } from './intents.ts'
import { readRecords } from './our_records.ts'
import type { Figure } from './report.ts'
import { judge, type Records } from './verdict.ts'

export interface Judged {
  records: Records
  faults: string[]
  /** What the verdict was about. */
  figures: Figure[]
}

export interface Judgeable extends Pick<Deployment, 'parts' | 'witness' | 'intents' | 'checkouts'> {
  /** Or a pool of it that is open already. */
  database_url: string | Pool
}

export async function judgeRun(
  deployment: Judgeable,
  first_charge_ms: number | null,
): Promise<Judged> {
  const { parts, witness, intents, database_url } = deployment
  const { shown, acknowledged: pages_acknowledged } = deployment.checkouts
  const { db } = parts.ctx
  const acknowledged = acknowledgedBy(intents.all)
  const records = await readRecords({ db, database_url, witness, acknowledged, first_charge_ms })
  const effects = await witness.effects()
  const pages = await readPages(witness.url)
  const our_checkouts = await readCheckouts(db)
  const faults = [
    ...judge(records),
    ...judgeIntents(intents.all, effects),
    ...judgeEvents(await readPublished(db), effects),
    ...judgeCheckouts({ pages, ...our_checkouts, shown, acknowledged: pages_acknowledged }),
  ]
  const { done, refused, unclear } = intents.counts()
  const kinds = Map.groupBy(intents.all, ({ kind }) => kind)
  return {
    records,
    faults,
    figures: [
      { what: 'intents done, refused, unclear', measured: `${done}, ${refused}, ${unclear}` },
      {
        what: 'intents by kind',
        measured: [...kinds].map(([kind, list]) => `${kind} ${list.length}`).join(', '),
      },
      ...(pages.length > 0 ? [{ what: 'pages of checkouts', measured: pages.length }] : []),
      ...(unclear > 0 ? [lastAnswers(intents.all)] : []),
    ],
  }
}

/** The last answers to intents that never got a definite one. */
function lastAnswers(intents: readonly Intent[]): Figure {
  const open = intents.filter((intent) => outcomeOf(intent) === 'unclear')
  const said = Map.groupBy(open, ({ kind, answers }) => {
    const { status = null, code = null } = answers.at(-1) ?? {}
    return [kind, status ?? 'lost', ...(code === null ? [] : [code])].join(' ')
  })
  const measured = [...said].map(([words, list]) => `${words}: ${list.length}`).join(', ')
  return { what: 'last answers to the unclear ones', measured }
}

const readPublished = async (db: Database): Promise<Published> =>
  await withTransaction(db, async (tx) => ({
    transitions: await tx.query<TransitionRow>(
      `select object_id, object_kind, version, from_status, to_status
       from gapura.gateway_transition`,
    ),
    events: await tx.query<EventRow>(
      `select object_id, object_kind, type, coalesce(object_version, (object ->> 'version')::integer) as version,
         object ->> 'order_id' as order_id,
         object ->> 'gateway_subscription_id' as gateway_subscription_id
       from gapura.gateway_event
       where object_kind <> 'operator'`,
    ),
  }))
