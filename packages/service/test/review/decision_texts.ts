// The functions of staff about exceptions, and where each of them takes free text.
import type { Caller } from '../../src/domain/caller.ts'
import type { GapuraStaff } from '../../src/index.ts'

type Written = (staff: GapuraStaff, caller: Caller) => Promise<unknown>

export const decisionTexts = (text: string, id: () => string) =>
  ({
    listExceptions: undefined,
    getException: undefined,
    actOnException: (staff, caller) =>
      staff.actOnException(caller, id(), { action: 'accept', reason: text }),
    approveReconciliation: (staff, caller) =>
      staff.approveReconciliation(caller, id(), { reason: text }),
    undoReconciliation: (staff, caller) => staff.undoReconciliation(caller, id(), { reason: text }),
    getBalanceProofs: undefined,
    listPayouts: undefined,
    getPayout: undefined,
    runReconciliation: undefined,
    listBankHolidays: undefined,
    setBankHoliday: (staff, caller) =>
      staff.setBankHoliday(caller, {
        day: '2027-03-10',
        closed: true,
        name: text,
      }),
  }) satisfies Partial<Record<keyof GapuraStaff, Written | undefined>>
