import type { Caller, Gapura, GatewaySettings, ObjectHistory } from 'gapura'
import type { Row } from '../object_rows.ts'
import type { SimulatorControl } from '../simulator_control.ts'

/** Whom a scenario works with. */
export interface Stage {
  gapura: Gapura
  /** Whose object it is, with the rights of staff. */
  caller: Caller
  simulator: SimulatorControl
  gateway: GatewaySettings
}

/** What is to be known of payments, invoices or subscriptions to let something happen to one. */
export interface Kind<Subject extends { id: string }> {
  noun: 'payment' | 'invoice' | 'subscription'
  /** One that is there, by what a person calls it. */
  find: (stage: Stage, name: string) => Promise<Subject>
  history: (stage: Stage, id: string) => Promise<ObjectHistory>
  /** Asks the gateway, where no notification came. */
  refresh: (stage: Stage, id: string) => Promise<unknown>
  rows: (subject: Subject) => readonly Row[]
}

interface Plot<Subject> {
  /** Makes one this signal can come of. */
  make: (stage: Stage) => Promise<Subject>
  /** What has to happen to it. */
  provoke: (stage: Stage, subject: Subject) => Promise<void>
}

/** One object, and what is going to happen to it. */
export interface Scene {
  id: string
  provoke: () => Promise<void>
  history: () => Promise<ObjectHistory>
  refresh: () => Promise<unknown>
  /** How it stands, for programs and for people. */
  result: () => Promise<{ object: object; rows: readonly Row[] }>
}

export interface Scenario {
  noun: Kind<{ id: string }>['noun']
  /** With this object, or with one made for it. */
  begin: (stage: Stage, name: string | undefined) => Promise<Scene>
}

export const scenario = <Subject extends { id: string }>(
  kind: Kind<Subject>,
  { make, provoke }: Plot<Subject>,
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

/** Nothing more has to happen: making it was all. */
export const asMade = async (): Promise<void> => await Promise.resolve()
