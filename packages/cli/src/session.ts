import { userInfo } from 'node:os'
import { createGapura, readConfig, SCOPES, type Caller, type Gapura, type KeyChange } from 'gapura'
import type { Call, Flag } from './command.ts'
import { NO_LOG } from './service_process.ts'

/** The file in which a running `gapura dev` writes its settings for a second terminal. */
export const DEV_ENV_FILE = '.gapura/dev.env'

/** Opens the service with the settings, for one command. */
export async function withGapura<Result>(
  { environment }: Call,
  work: (gapura: Gapura) => Promise<Result>,
): Promise<Result> {
  const { gapura: options } = readConfig(environment)
  // One command needs few connections, whatever the setting of the server is.
  const database = { ...options.database, connections_max: 4 }
  const gapura = createGapura({ ...options, database, logger: NO_LOG })
  try {
    return await work(gapura)
  } finally {
    await gapura.close()
  }
}

/** The staff member in the audit entry. */
export const AS_FLAG: Flag = {
  value: 'person',
  summary: 'the staff member, for the audit (default: the user of this machine)',
}

/** The user as staff: access to the database's password implies the rights of staff. */
export function staffOf(call: Call): Caller {
  const person = call.text('as') ?? userInfo().username
  return { owner_id: person, staff: true, scopes: SCOPES }
}

/** For commands that only read. The audit records the read under the machine's user. */
export const LOOKING: Caller = { owner_id: userInfo().username, staff: true, scopes: SCOPES }

/** Staff member and reason of a key change, for the audit. */
export const keyChangeOf = (call: Call): KeyChange => {
  const reason = call.text('reason')
  return { by: staffOf(call).owner_id, ...(reason !== undefined && { reason }) }
}
