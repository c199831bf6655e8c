// A staff member who resolves operations of a service, and what is recorded of it.
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { resolveOperation } from '../../src/services/staff/operations.ts'

export const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
export const reason = 'seen on the dashboard'
export const UNKNOWN = { code: 'outcome_unknown' }
export const refusedFor = (field: string, message: unknown) => ({
  code: 'invalid_request',
  errors: [{ field, message }],
})

interface Service {
  ctx: Parameters<typeof resolveOperation>[0]
  database: { sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]> }
}

/** Manual resolution of the operations of one service. */
export const handsOf = (service: Service) => ({
  end: async (id: string, outcome: string, more: object = {}) =>
    await resolveOperation(service.ctx, dewi, id, { outcome, reason, ...more }),
  openOf: async (subject_id: string): Promise<string> => {
    const [row] = await service.database.sql(
      `select id from gapura.gateway_operation
       where subject_id = $1 and state in ('started', 'unknown')`,
      [subject_id],
    )
    return String(row?.['id'])
  },
  alarmsOf: async (subject_id: string) =>
    await service.database.sql(
      'select kind, closed_by, note from gapura.gateway_alarm where subject_id = $1',
      [subject_id],
    ),
})
