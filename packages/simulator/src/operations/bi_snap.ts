// The two signatures of BI-SNAP, checked as the gateway does: a token is bought with the merchant's
// private key, and each call is signed with the client secret over the token.
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { headerOf, type Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { SECOND_MS } from '../wire/times.ts'
import { wibDay } from '../world/business_days.ts'
import type { World } from '../world/world.ts'

const TOKEN_LIFE_S = 900
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/

/** An answer of BI-SNAP: HTTP status, service and case in one code. */
export const snapReply = (
  service: string,
  { status, subcode = '00', message }: { status: number; subcode?: string; message: string },
  more: Record<string, unknown> = {},
): Reply =>
  httpReply(status, {
    responseCode: `${status}${service}${subcode}`,
    responseMessage: message,
    ...more,
  })

const unauthorized = (service: string, why: string, subcode = '00'): Reply =>
  snapReply(service, { status: 401, subcode, message: `Unauthorized. ${why}` })

/** POST /v1.0/access-token/b2b. */
export function createAccessToken(world: World, call: Call): Reply {
  const { client_id, public_key } = world.settings.bi_snap
  const timestamp = headerOf(call, 'x-timestamp') ?? ''
  const signature = headerOf(call, 'x-signature') ?? ''
  const client = headerOf(call, 'x-client-key')
  if (client !== client_id || !TIMESTAMP.test(timestamp)) return unauthorized('73', 'Client')
  if (!isSigned(public_key, `${client}|${timestamp}`, signature)) {
    return unauthorized('73', 'Signature')
  }
  if (call.body?.['grantType'] !== 'client_credentials') {
    return snapReply('73', { status: 400, subcode: '02', message: 'Invalid Mandatory Field' })
  }
  const accessToken = world.random.letters(54)
  world.access_tokens.set(accessToken, world.clock.now() + TOKEN_LIFE_S * SECOND_MS)
  return snapReply(
    '73',
    { status: 200, message: 'Successful' },
    { accessToken, tokenType: 'BearerToken', expiresIn: String(TOKEN_LIFE_S) },
  )
}

function isSigned(public_key: string, text: string, signature: string): boolean {
  if (public_key === '') return false
  const key = createPublicKey(public_key)
  return verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** Refuses a call whose token, signature or headers are wrong, or whose external id was used. */
export function refuseUnsigned(world: World, call: Call, path: string): Reply | undefined {
  const service = path.endsWith('-detail') ? '13' : '12'
  const { bi_snap } = world.settings
  const token = /^Bearer (\S+)$/i.exec(headerOf(call, 'authorization') ?? '')?.[1] ?? ''
  const ends_at = world.access_tokens.get(token) ?? 0
  if (ends_at <= world.clock.now()) return unauthorized(service, 'Access Token Invalid', '01')
  const timestamp = headerOf(call, 'x-timestamp') ?? ''
  const digests = [call.body_text, call.body === undefined ? '' : JSON.stringify(call.body)].map(
    (text) => createHash('sha256').update(text).digest('hex'),
  )
  const given = Buffer.from(headerOf(call, 'x-signature') ?? '', 'base64')
  const signed = digests.some((digest) => {
    const text = [call.method, path, token, digest, timestamp].join(':')
    const right = createHmac('sha512', bi_snap.client_secret).update(text).digest()
    return given.length === right.length && timingSafeEqual(given, right)
  })
  if (!signed || !TIMESTAMP.test(timestamp)) return unauthorized(service, 'Signature')
  const external_id = headerOf(call, 'x-external-id') ?? ''
  const partner = headerOf(call, 'x-partner-id')
  if (partner !== bi_snap.partner_id || external_id === '' || !isChannel(call)) {
    return snapReply(service, { status: 400, subcode: '02', message: 'Invalid Mandatory Field' })
  }
  const used = `${wibDay(world.clock.now())} ${external_id}`
  if (world.external_ids.has(used)) return snapReply(service, { status: 409, message: 'Conflict' })
  world.external_ids.add(used)
  return undefined
}

const isChannel = (call: Call): boolean => /^\d{5}$/.test(headerOf(call, 'channel-id') ?? '')
