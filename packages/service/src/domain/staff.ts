/** How a session was opened. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'oidc', 'key'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

const STAFF_ID = /^[a-z0-9][a-z0-9._-]{0,99}$/

/** A short name for the audit, such as `dewi`: it is stored for ever, so it is no e-mail address. */
export const isStaffId = (text: string): boolean => STAFF_ID.test(text)

/** The staff id where none is given: the part of the e-mail address before the @. */
export const staffIdOf = (email: string): string =>
  (email.split('@', 1)[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
