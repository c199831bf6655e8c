import { download } from './download.ts'
import { send, type Sending } from './send.ts'
import { feedOf, type Feed, type Identified } from './feed.ts'
import { pagesOf, type Pages } from './pages.ts'
import { requireVisible, type CallOptions, type Settings, type WriteOptions } from './settings.ts'

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The functions that the generated methods use. */
export interface Call {
  read: <Reply extends object>(
    path: string,
    query: object | undefined,
    options: CallOptions | undefined,
  ) => Promise<Reply>
  /** A file, as it comes in. A connection that breaks midway fails the stream. */
  file: (
    path: string,
    query: object | undefined,
    options: CallOptions | undefined,
  ) => Promise<ReadableStream<Uint8Array>>
  list: <Item>(
    path: string,
    query: object | undefined,
    options: CallOptions | undefined,
  ) => Pages<Item>
  feed: <Item extends Identified>(
    path: string,
    query: object | undefined,
    options: CallOptions | undefined,
  ) => Feed<Item>
  /** With one Idempotency-Key for all its tries. */
  write: <Reply extends object>(
    method: WriteMethod,
    path: string,
    input: object | undefined,
    options: WriteOptions | undefined,
  ) => Promise<Reply>
}

export function callOf(settings: Settings): Call {
  const ask = async <Reply extends object>(
    { path: where, ...sending }: Omit<Sending, 'url' | 'options'> & { path: string },
    options: CallOptions = {},
  ): Promise<Reply> => {
    if (where === '') throw new TypeError('an id must not be empty or consist of dots')
    return await send(settings, { ...sending, url: `${settings.base}${where}`, options })
  }
  const read: Call['read'] = async (where, query, options) =>
    await ask({ method: 'GET', path: where && `${where}${searchOf(query)}` }, options)
  return {
    read,
    file: async (where, query, options = {}) =>
      await download(settings, `${settings.base}${where}${searchOf(query)}`, options),
    list: (where, query, options) =>
      pagesOf(async (cursor) => {
        const asked = cursor === undefined ? query : { ...query, cursor }
        return await read(where, asked, options)
      }),
    feed: (where, query, options) =>
      feedOf(async (after) => {
        const asked = after === undefined ? query : { ...query, after }
        return await read(where, asked, options)
      }),
    write: async (method, where, input, options = {}) => {
      const { idempotencyKey = mintKey() } = options
      requireVisible('idempotencyKey', idempotencyKey)
      return await ask({ method, path: where, input, idempotencyKey }, options)
    },
  }
}

/** Random, and not `randomUUID`: that one is missing in pages served without TLS. */
const mintKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

function searchOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return ''
  const texts = given.map(([name, value]): [string, string] => [name, String(value)])
  return `?${new URLSearchParams(texts).toString()}`
}

/**
 * A path with its ids escaped. One of dots, or an empty one, would name another path: that gives no
 * path at all, so that the call fails as a promise and not before there is one.
 */
export const path = (texts: TemplateStringsArray, ...ids: string[]): string =>
  ids.some((id) => /^\.*$/.test(id))
    ? ''
    : texts.reduce((before, text, at) => `${before}${encodeURIComponent(ids[at - 1] ?? '')}${text}`)
