/**
 * What a log may say of any error: its name, its code, and the rule of the database it broke. Never
 * its message, in which anything may be quoted.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const parts = ['code', 'constraint'].map((field) => (field in error ? valueOf(error, field) : ''))
  return [error.name, ...parts].filter((part) => part !== '').join(' ')
}

function valueOf(error: Error, field: string): string {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' ? value : ''
}
