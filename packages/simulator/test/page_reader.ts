import type { Rig } from './rig.ts'

/** A page as it arrived, and its text as a person reads it. */
export interface Read {
  http_status: number
  headers: Headers
  markup: string
  text: string
}

async function readFrom(reply: Response): Promise<Read> {
  const markup = await reply.text()
  const text = markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
  return { http_status: reply.status, headers: reply.headers, markup, text }
}

/** Opens a page as a browser would, in English unless asked otherwise. */
export async function open(
  rig: Rig,
  path: string,
  headers: Record<string, string> = {},
): Promise<Read> {
  const reply = await fetch(new URL(path, rig.url), {
    redirect: 'manual',
    headers: { accept: 'text/html', 'accept-language': 'en', ...headers },
  })
  return await readFrom(reply)
}

/** Presses a button: posts its form from a page of the simulator's own. */
export async function press(
  rig: Rig,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Read> {
  const reply = await fetch(new URL(path, rig.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: rig.url, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  })
  return await readFrom(reply)
}

/** Where a button led. */
export function ledTo({ http_status, headers, text }: Read): string {
  if (http_status !== 303) throw new Error(`no redirect but ${http_status}: ${text}`)
  return headers.get('location') ?? ''
}

/** The values of the buttons on a page that do something to a transaction. */
export const actionsOn = ({ markup }: Read): string[] =>
  [...markup.matchAll(/name="action"\s+value="(\w+)"/g)].map((match) => match[1] ?? '')
