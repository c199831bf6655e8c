/** Exit codes for scripts. A number never changes its meaning. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  not_found: 3,
  refused: 4,
  unclear: 5,
  database: 6,
  settings: 7,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done; for `doctor` and `verify`, nothing is broken',
  failure: 'something failed; for `doctor` a check did, for `verify` a promise is broken',
  usage: 'the command line, or a value on it, is not valid; nothing was done',
  not_found: 'there is no such payment, notification, operation, alarm, key, endpoint or order',
  refused: 'a rule of ours, or the gateway, refused it; it was not done',
  unclear: 'the gateway did not answer clearly; it may have acted: look before trying again',
  database: 'the database cannot be reached, is not migrated, or belongs to the other environment',
  settings: 'the settings have faults; all of them are named',
}
