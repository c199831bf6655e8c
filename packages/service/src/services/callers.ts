import { createHash, randomInt } from 'node:crypto'
import type { Caller, Scope } from '../domain/caller.ts'
import { findApiKey, insertApiKey, revokeApiKey } from '../store/api_keys.ts'
import { newId } from '../store/ids.ts'
import { withReadTransaction, withTransaction } from '../store/transaction.ts'
import type { Context } from './context.ts'

type Keys = Pick<Context, 'db'>

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32

/** The prefix lets a scanner of leaked secrets know what it found. */
export const isApiKey = (text: string): boolean => /^gpk_[0-9A-Za-z]{32}$/.test(text)

// 190 random bits need no slow hash: there is nothing to guess.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Whose key it is, if it is good now. */
export async function findCallerOfKey({ db }: Keys, key: string): Promise<Caller | undefined> {
  if (!isApiKey(key)) return undefined
  const found = await withReadTransaction(db, async (tx) => await findApiKey(tx, hashOf(key)))
  return found && { owner_id: found.owner_id, staff: found.staff, scopes: found.scopes }
}

export interface ApiKeyOrder extends Caller {
  /** For the people who look at the list of keys. */
  name: string
  scopes: readonly Scope[]
  expires_at?: Date
}

/** Makes a key. This is the only time it is seen: we keep its hash alone. */
export async function createApiKey(
  { db }: Keys,
  { expires_at, ...order }: ApiKeyOrder,
): Promise<{ id: string; key: string }> {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  const key = `gpk_${secret.join('')}`
  const id = newId()
  const row = { ...order, id, expires_at: expires_at ?? null, key_hash: hashOf(key) }
  await withTransaction(db, async (tx) => await insertApiKey(tx, row))
  return { id, key }
}

/** Ends a key for ever. False if there was none to end. */
export const endApiKey = async ({ db }: Keys, id: string): Promise<boolean> =>
  await withTransaction(db, async (tx) => await revokeApiKey(tx, id))
