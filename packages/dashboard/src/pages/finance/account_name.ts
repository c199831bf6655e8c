import type { Speech } from '../../language.ts'

/** An account in the reader's language: `Sales · shop`. */
export function accountName({ named }: Pick<Speech, 'named'>, account: string): string {
  const whole = named(`account_${account.replaceAll(':', '_')}`)
  if (whole !== undefined) return whole
  const [kind = '', ...owner] = account.split(':')
  const name = named(`account_${kind}`)
  return name === undefined ? account : `${name} · ${owner.join(':')}`
}
