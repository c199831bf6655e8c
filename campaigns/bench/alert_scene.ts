// What the faults of the alerts campaign act on: the deployment, its own database server, and a
// small steady load, so that a fault has something to hurt.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  withTransaction,
  type Tx,
} from '../../packages/service/src/store/connection/transaction.ts'
import { chargeInput } from './charge_inputs.ts'
import type { Deployment } from './deployment.ts'
import type { PostgresCluster } from './postgres_cluster.ts'

export interface AlertScene {
  deployment: Deployment
  cluster: PostgresCluster
  load: SteadyLoad
}

export interface AlertFault {
  name: string
  /** Alert and severity, and within how many seconds it fires. */
  expected: Readonly<Record<string, number>>
  /** Begins it; the returned function ends it. */
  begin: (scene: AlertScene) => Promise<() => Promise<void> | void>
  quick?: boolean
}

/** Charges a second; each is paid a little later, so that notifications and events go on. */
export const RATE = 4
const UNPAID_KEPT = 40
const REQUEST_WITHIN_MS = 30_000

export class SteadyLoad {
  readonly answers = new Map<string, number>()
  rate = RATE
  readonly #deployment: Deployment
  readonly #unpaid: string[] = []
  #over = false
  readonly #ended: Promise<void>

  constructor(deployment: Deployment) {
    this.#deployment = deployment
    this.#ended = this.#run()
  }

  /** An order that waits for its payer. */
  get unpaid(): string {
    return this.#unpaid.at(-1) ?? ''
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#ended
  }

  async charge(): Promise<string | undefined> {
    const { apis, api_key } = this.#deployment
    const order_id = `a-${randomUUID()}`
    const reply = await fetch(`${apis[0]?.url ?? ''}/charge/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api_key}`,
        'content-type': 'application/json',
        'idempotency-key': order_id,
      },
      body: JSON.stringify(chargeInput('bank_transfer', { order_id })),
      signal: AbortSignal.timeout(REQUEST_WITHIN_MS),
    }).catch(() => undefined)
    const status = String(reply?.status ?? 'lost')
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1)
    await reply?.arrayBuffer()
    return status === '201' ? order_id : undefined
  }

  async #run(): Promise<void> {
    while (!this.#over) {
      void this.#chargeOne()
      if (this.#unpaid.length > UNPAID_KEPT) await this.#pay()
      await sleep(1_000 / this.rate)
    }
  }

  async #chargeOne(): Promise<void> {
    const order_id = await this.charge()
    if (order_id !== undefined) this.#unpaid.push(order_id)
  }

  /** The oldest, so that some are left to be paid while no charge succeeds. */
  async #pay(): Promise<void> {
    const order_id = this.#unpaid.shift()
    await this.#deployment.witness.control(`transactions/${order_id}/pay`)
  }

  /** Pays what waits. The notifications of it meet the fault, so this does not wait for them. */
  payAll(): void {
    while (this.#unpaid.length > 0) void this.#pay()
  }
}

export const inDatabase = async <Result>(
  { deployment }: AlertScene,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> => await withTransaction(deployment.parts.ctx.db, work)

export const statement = async (
  scene: AlertScene,
  text: string,
  values: readonly string[] = [],
): Promise<Record<string, unknown>[]> =>
  await inDatabase(scene, async (tx) => await tx.query(text, values, { prepare: false }))

/** Sends a notification as the gateway would. */
export async function notify({ deployment }: AlertScene, notice: object): Promise<number> {
  const reply = await fetch(`${deployment.apis[0]?.url ?? ''}/notification/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notice),
  })
  await reply.arrayBuffer()
  return reply.status
}
