// Delivers to the endpoints of webhooks that the database names, as they come and go.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorName } from '../domain/error_name.ts'
import { subscriberOf } from '../domain/webhook.ts'
import type { Relay } from '../events/relay.ts'
import { SubscriberAway } from '../events/subscribers.ts'
import { Endpoint, type WebhookParts } from '../events/webhooks.ts'
import { Secret } from '../gateway/secret.ts'
import { HostBusy, openSender, ProxyFailed, type Sender } from '../gateway/webhooks/sender.ts'
import { signerOf, type Sign } from '../gateway/webhooks/signature.ts'
import { openVault, SealBroken, type Vault } from '../gateway/webhooks/vault.ts'
import type { Context, WebhookContext } from '../services/context.ts'
import { withReadTransaction } from '../store/connection/transaction.ts'
import { listActiveEndpoints, type ActiveEndpoint } from '../store/webhooks/endpoints.ts'

export interface WebhookSettings {
  /** 32 bytes in base64 each. The first encrypts the secrets of endpoints; the others still open. */
  keys: readonly (Secret | string)[]
  /** For development: also http, other ports, and addresses of this machine and its networks. */
  allow_private?: boolean
  /** A forward proxy that every request takes, so that it comes from a fixed address. */
  proxy_url?: string
  /** How many endpoints one owner may have; 20 by default. */
  endpoints_max?: number
}

export const ENDPOINTS_MAX = 20

export function webhookContext({
  keys,
  allow_private = false,
  endpoints_max = ENDPOINTS_MAX,
}: WebhookSettings): WebhookContext {
  const secrets = keys.map((key) => (typeof key === 'string' ? new Secret(key) : key))
  return { vault: openVault(secrets), rules: { allow_private }, endpoints_max }
}

/** How soon a worker learns of a change. */
const LOOK_MS = 1_000

export interface RunningEndpoints {
  /** Adds no further endpoint, lets the relay end, then closes the connections. */
  stopWith: (stopRelay: () => Promise<void>) => Promise<void>
}

/** With another `open` the attempts go elsewhere than over the network, as in a simulation. */
export function startEndpoints(
  ctx: Context,
  relay: Pick<Relay, 'add' | 'remove'>,
  settings: WebhookSettings | undefined,
  open: typeof openSender = openSender,
): RunningEndpoints {
  const stop = new AbortController()
  const { webhooks, db, log } = ctx
  const sender = webhooks && open({ ...webhooks.rules, proxy_url: settings?.proxy_url })
  const signers = webhooks && signersOf(webhooks.vault)
  const active = new Map<string, Endpoint>()
  const look = async (): Promise<void> => {
    const found = await withReadTransaction(db, listActiveEndpoints)
    if (signers === undefined || sender === undefined) {
      if (found.length > 0) warnOnce(ctx, found.length)
      return
    }
    const gone = new Set(active.keys())
    for (const endpoint of found) {
      gone.delete(endpoint.id)
      const known = active.get(endpoint.id)
      if (known !== undefined) known.update(endpoint)
      else {
        const added = new Endpoint(endpoint, partsOf(ctx, sender, signers))
        active.set(endpoint.id, added)
        relay.add(added.subscriber)
      }
    }
    for (const id of gone) {
      active.delete(id)
      // Not awaited: a slow receiver must not hold up what is found next.
      void relay.remove(subscriberOf(id))
    }
  }
  const looking = (async () => {
    while (!stop.signal.aborted) {
      await look().catch((error: unknown) =>
        log.warn({ error: errorName(error) }, 'webhook endpoints could not be read'),
      )
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  return {
    stopWith: async (stopRelay) => {
      stop.abort()
      await looking
      await stopRelay()
      await sender?.close()
    },
  }
}

const warned = new WeakSet<Context>()

function warnOnce(ctx: Context, endpoints: number): void {
  if (warned.has(ctx)) return
  warned.add(ctx)
  ctx.log.warn({ endpoints }, 'webhook endpoints wait: this worker has no GAPURA_WEBHOOK_KEY')
}

const partsOf = (
  { db, log }: Context,
  sender: Sender,
  signers: (endpoint: ActiveEndpoint) => Sign,
): WebhookParts => ({
  db,
  post: async (posted, aborted) =>
    await sender.post(posted, aborted).catch((error: unknown) => {
      if (error instanceof ProxyFailed || error instanceof HostBusy) {
        throw new SubscriberAway(error.message)
      }
      throw error
    }),
  sign: (endpoint, message) => {
    try {
      return signers(endpoint)(message)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      log.error({ endpoint_id: endpoint.id, reason: error.message }, 'webhook secret does not open')
      throw new SubscriberAway(error.message)
    }
  },
  onDisabled: (endpoint_id, reason) =>
    log.warn({ endpoint_id, reason }, 'webhook endpoint disabled, its events wait'),
})

/** The signer of an endpoint, opened once for as long as its secrets are the same. */
function signersOf(vault: Vault): (endpoint: ActiveEndpoint) => Sign {
  const known = new Map<string, { sealed: string; sign: Sign }>()
  return ({ id, secret, former_secret, private_key }) => {
    const sealed = [secret, former_secret, private_key].join(' ')
    const before = known.get(id)
    if (before?.sealed === sealed) return before.sign
    const open = (text: string): string => vault.open(id, text)
    const sign = signerOf({
      secrets: [secret, ...(former_secret === null ? [] : [former_secret])].map(open),
      ...(private_key !== null && { private_key: open(private_key) }),
    })
    known.set(id, { sealed, sign })
    return sign
  }
}
