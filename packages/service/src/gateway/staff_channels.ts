// Messages to staff over the incoming webhooks of Slack and Telegram. Bounded in time and size, never
// redirected; no error carries the address, because it holds the secret.
import { Agent, request } from 'undici'

const ANSWER_WITHIN_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1_024
const TELEGRAM = 'https://api.telegram.org'
const SLACK_LENGTH_MAX = 3_000
const TELEGRAM_LENGTH_MAX = 4_000

/** The channel did not take the message; the text names no secret. */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure'
}

export interface WebhookChannels {
  sendSlack: (url: string, text: string) => Promise<void>
  sendTelegram: (to: TelegramTarget, text: string) => Promise<void>
  close: () => Promise<void>
}

export interface TelegramTarget {
  token: string
  chat_id: string
  /** Instead of Telegram's own, for a proxy. */
  base_url?: string
}

/** What Slack would read as a link or a mention. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function openWebhookChannels(): WebhookChannels {
  const dispatcher = new Agent({
    connectTimeout: ANSWER_WITHIN_MS,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  })
  const post = async (url: string, body: object): Promise<void> => {
    const status = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      dispatcher,
    }).then(
      async (reply) => {
        await reply.body.dump()
        return reply.statusCode
      },
      () => 'no answer' as const,
    )
    if (typeof status === 'number' && status >= 200 && status < 300) return
    throw new ChannelFailure(`the channel replied ${status}`)
  }
  return {
    sendSlack: async (url, text) => {
      await post(url, { text: escaped(text).slice(0, SLACK_LENGTH_MAX) })
    },
    sendTelegram: async ({ token, chat_id, base_url = TELEGRAM }, text) => {
      const body = { chat_id, text: text.slice(0, TELEGRAM_LENGTH_MAX) }
      await post(`${base_url}/bot${token}/sendMessage`, body)
    },
    close: async () => {
      await dispatcher.close()
    },
  }
}
