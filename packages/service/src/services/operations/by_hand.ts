/** What a person leaves behind who ends something by hand: on the operation, and in the history. */
export interface ByHand {
  resolved_by: string
  reason: string
}

/** The reason of the step that came of it. */
export const reasonOf = (by: ByHand | undefined): { reason?: string } =>
  by === undefined ? {} : { reason: `by ${by.resolved_by}: ${by.reason}` }
