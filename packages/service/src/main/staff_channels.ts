// Where operator events reach people: Slack, Telegram and e-mail, each channel with its own choice of
// events (event-feed.md#messages-to-staff).
import { Type, type Static } from 'typebox'
import { OPERATOR_EVENTS } from '../domain/operator_event.ts'
import { alertSubscriber } from '../events/staff_alerts.ts'
import type { Subscriber } from '../events/subscribers.ts'
import { openWebhookChannels, type WebhookChannels } from '../gateway/staff_channels.ts'
import { compiledOnce } from '../gateway/wire/shape.ts'
import type { Logger } from '../services/context.ts'
import type { ExportMail } from '../services/sweeps/send_exports.ts'
import { errorName } from '../domain/error_name.ts'
import { openMail, type Mail } from './optional_packages.ts'

const common = {
  /** Lower case letters, digits and dashes; the position in the outbox belongs to it. */
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
  /** All of them by default. */
  events: Type.Optional(Type.Array(Type.Enum([...OPERATOR_EVENTS]), { minItems: 1 })),
}
const closed = { additionalProperties: false } as const
const address = Type.String({ pattern: '^[^\\s@<>]+@[^\\s@<>]+$', maxLength: 254 })
const url = Type.String({ pattern: '^https?://[^\\s@]+$', maxLength: 2_000 })

const CHANNELS = Type.Array(
  Type.Union([
    Type.Object({ ...common, kind: Type.Literal('slack'), url }, closed),
    Type.Object(
      {
        ...common,
        kind: Type.Literal('telegram'),
        token: Type.String({ pattern: '^[0-9]+:[A-Za-z0-9_-]+$' }),
        chat_id: Type.String({ pattern: '^(?:-?[0-9]{1,20}|@[A-Za-z0-9_]+)$' }),
        base_url: Type.Optional(url),
      },
      closed,
    ),
    Type.Object(
      {
        ...common,
        kind: Type.Literal('email'),
        smtp_url: Type.String({ pattern: '^smtps?://\\S+$' }),
        from: address,
        to: Type.Array(address, { minItems: 1, maxItems: 20 }),
      },
      closed,
    ),
  ]),
  { maxItems: 20 },
)

export type StaffChannel = Static<typeof CHANNELS>[number]

export interface AlertSettings {
  channels: readonly StaffChannel[]
  /** The least time between two messages of one channel; 60 s by default. */
  rest_ms?: number
}

const validatorOf = compiledOnce(CHANNELS)

/** Channels out of JSON. The error quotes nothing: most of it is secret. */
export function parseChannels(text: string): StaffChannel[] {
  const value: unknown = jsonOf(text)
  if (!validatorOf().Check(value)) {
    throw new RangeError('is a JSON list of channels, as in docs/event-feed.md')
  }
  if (new Set(value.map(({ name }) => name)).size < value.length) {
    throw new RangeError('names each channel once')
  }
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface StaffChannels {
  subscribers: Subscriber[]
  /** Sends by the first channel of e-mail; scheduled exports have recipients of their own. */
  sendMail: ExportMail['send'] | undefined
  close: () => Promise<void>
}

/** Whether a message can be sent to addresses that no channel names. */
export const hasMail = ({ channels }: AlertSettings): boolean =>
  channels.some(({ kind }) => kind === 'email')

/** One subscriber for each channel, and how to close what they hold open. */
export async function openStaffChannels(
  { channels, rest_ms }: AlertSettings,
  log: Logger,
): Promise<StaffChannels> {
  const webhooks = openWebhookChannels()
  const mails: Mail[] = []
  const subscribers: Subscriber[] = []
  let sendMail: StaffChannels['sendMail']
  for (const channel of channels) {
    const mail = channel.kind === 'email' ? await openMail(channel.smtp_url) : undefined
    if (mail) mails.push(mail)
    if (mail && channel.kind === 'email') {
      const { from } = channel
      sendMail ??= async (message) => await mail.send({ from, ...message })
    }
    subscribers.push(
      alertSubscriber({
        name: `staff.${channel.name}`,
        events: channel.events,
        rest_ms,
        send: async ({ subject, text }) => await sendTo(channel, { webhooks, mail }, subject, text),
        onFailure: (error) =>
          log.warn(
            { channel: channel.name, error: errorName(error) },
            'staff channel failed, events wait',
          ),
      }),
    )
  }
  const close = async (): Promise<void> => {
    await webhooks.close()
    for (const mail of mails) mail.close()
  }
  return { subscribers, sendMail, close }
}

async function sendTo(
  channel: StaffChannel,
  { webhooks, mail }: { webhooks: WebhookChannels; mail: Mail | undefined },
  subject: string,
  text: string,
): Promise<void> {
  switch (channel.kind) {
    case 'slack':
      return await webhooks.sendSlack(channel.url, text)
    case 'telegram':
      return await webhooks.sendTelegram(channel, text)
    case 'email':
      return await mail?.send({ from: channel.from, to: channel.to, subject, text })
  }
}
