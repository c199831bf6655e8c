/**
 * What a log may contain of any error: its name, its code, and the violated database constraint.
 * Never its message, which may quote anything.
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
