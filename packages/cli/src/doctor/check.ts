/** One check. Only `fail` makes the doctor fail; a warning may be intended. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail' | 'skip'
  detail: string
  /** What to do about it. */
  remedy?: string
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail })

export const skip = (name: string, detail: string): Check => ({ name, status: 'skip', detail })

export const warn = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: 'warn',
  detail,
  remedy,
})

export const fail = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: 'fail',
  detail,
  remedy,
})
