import { userInfo } from 'node:os'
import { createGapura, readConfig, SCOPES, type Caller, type Gapura, type KeyChange } from 'gapura'
import type { Call, Flag } from './command.ts'

/** Where a running `gapura dev` says how to reach it, so that a second terminal needs no settings. */
export const DEV_ENV_FILE = '.gapura/dev.env'

/** Opens the service as the settings say, for the time of one piece of work. */
export async function withGapura<Result>(
  { environment }: Call,
  work: (gapura: Gapura) => Promise<Result>,
): Promise<Result> {
  const { gapura: options } = readConfig(environment)
  // One command needs few connections, whatever the server is allowed.
  const database = { ...options.database, connections_max: 4 }
  const gapura = createGapura({ ...options, database })
  try {
    return await work(gapura)
  } finally {
    await gapura.close()
  }
}

/** Under which name it is kept that somebody did it. */
export const AS_FLAG: Flag = {
  value: 'person',
  summary: 'who does it, for the record (default: the user of this machine)',
}

/** The person at the keyboard, as staff. Whoever has the database's password is staff already. */
export function staffOf(call: Call): Caller {
  const person = call.text('as') ?? userInfo().username
  return { owner_id: person, staff: true, scopes: SCOPES }
}

/** For commands that only look. That they looked is kept, under the name of the machine's user. */
export const LOOKING: Caller = { owner_id: userInfo().username, staff: true, scopes: SCOPES }

/** Who changes the keys and why, for the audit. */
export const keyChangeOf = (call: Call): KeyChange => {
  const reason = call.text('reason')
  return { by: staffOf(call).owner_id, ...(reason !== undefined && { reason }) }
}
