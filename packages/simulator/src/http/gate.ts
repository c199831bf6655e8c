import { refuseUnsigned } from '../operations/bi_snap.ts'
import type { World } from '../world/world.ts'
import { headerOf, type Call } from './call.ts'
import type { Operation } from './operations.ts'
import { coreError, httpReply, type Reply } from './reply.ts'

const UNAUTHORIZED = 'Transaction cannot be authorized with the current client/server key.'
const DENIED = 'Access denied due to unauthorized transaction, please check client or server key'

/** Refuses a call without the right key, in the error shape of its family; otherwise undefined. */
export function refuseStranger(
  world: World,
  call: Call,
  { auth, family, path }: Operation,
): Reply | undefined {
  // Their signatures say who calls, and each has a refusal of its own.
  if (auth === 'own') return undefined
  if (auth === 'signed') return refuseUnsigned(world, call, path)
  const { server_key, client_key } = world.settings
  const user = basicUserOf(headerOf(call, 'authorization'))
  // The client key allows only calls of the browser, which never move money.
  const passes =
    auth === 'client'
      ? call.query.get('client_key') === client_key
      : user === server_key || (auth === 'either' && user === client_key)
  return passes ? undefined : REFUSALS[family](world)
}

const REFUSALS: Record<Operation['family'], (world: World) => Reply> = {
  core: (world) => coreError('401', world.random.uuid()),
  bin: () => httpReply(401, 'Unauthorized'),
  subscription: () => httpReply(401, { status_message: UNAUTHORIZED }),
  invoice: () => httpReply(401, { error_messages: [UNAUTHORIZED] }),
  snap: () => httpReply(401, { error_messages: [DENIED] }),
  balance: () => httpReply(401, { error_messages: [DENIED] }),
  bi_snap: () => httpReply(401, { responseCode: '4010000', responseMessage: 'Unauthorized' }),
}

/** The user of HTTP Basic with an empty password, as the gateway requires. */
function basicUserOf(header: string | undefined): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.endsWith(':') ? text.slice(0, -1) : undefined
}
