import type { Caller, Gapura, GatewaySettings, ObjectHistory } from 'gapura'
import type { Row } from '../object_rows.ts'
import type { SimulatorControl } from '../simulator_control.ts'

/** What every scenario needs. */
export interface Stage {
  gapura: Gapura
  /** The owner of the object, with the rights of staff. */
  caller: Caller
  simulator: SimulatorControl
  gateway: GatewaySettings
}

/** How to find and read a payment, an invoice or a subscription. */
export interface Kind<Subject extends { id: string }> {
  noun: 'payment' | 'invoice' | 'subscription' | 'checkout'
  /** Finds an existing object by id or order id. */
  find: (stage: Stage, name: string) => Promise<Subject>
  history: (stage: Stage, id: string) => Promise<ObjectHistory>
  /** Reads the status from the gateway if no notification arrived. */
  refresh: (stage: Stage, id: string) => Promise<unknown>
  rows: (subject: Subject) => readonly Row[]
}

interface Steps<Subject> {
  /** Makes an object that can produce the signal. */
  make: (stage: Stage) => Promise<Subject>
  /** Performs the action that causes the signal. */
  provoke: (stage: Stage, subject: Subject) => Promise<void>
}

/** One object with its scenario. */
export interface Scene {
  id: string
  provoke: () => Promise<void>
  history: () => Promise<ObjectHistory>
  refresh: () => Promise<unknown>
  /** The object as JSON and as text rows. */
  result: () => Promise<{ object: object; rows: readonly Row[] }>
}

export interface Scenario {
  noun: Kind<{ id: string }>['noun']
  /** Starts with the named object, or makes one. */
  begin: (stage: Stage, name: string | undefined) => Promise<Scene>
}

export const scenario = <Subject extends { id: string }>(
  kind: Kind<Subject>,
  { make, provoke }: Steps<Subject>,
): Scenario => ({
  noun: kind.noun,
  begin: async (stage, name) => {
    const subject = name === undefined ? await make(stage) : await kind.find(stage, name)
    const { id } = subject
    return {
      id,
      provoke: async () => await provoke(stage, subject),
      history: async () => await kind.history(stage, id),
      refresh: async () => await kind.refresh(stage, id),
      result: async () => {
        const object = await kind.find(stage, id)
        return { object, rows: kind.rows(object) }
      },
    }
  },
})

/** For signals that the creation alone causes. */
export const asMade = async (): Promise<void> => await Promise.resolve()
