// The faults of a run.

/** How often each fault is chosen where it could happen. */
export const FAULT_SHARES = {
  'process dies before a statement': 0.002,
  'process dies before a commit': 0.015,
  'process dies after a commit': 0.02,
  'connection lost before a commit': 0.01,
  'reply to a commit lost': 0.02,
  'gateway call lost before the work': 0.06,
  'gateway reply lost after the work': 0.1,
  'gateway answers 500 without the work': 0.03,
  'notification lost': 0.12,
  'notification doubled': 0.25,
  'answer to a caller lost': 0.1,
  'clock jumps': 0.006,
}

export type FaultName = keyof typeof FAULT_SHARES
export type FaultShares = Partial<Record<FaultName, number>>
