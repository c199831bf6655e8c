import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { fail, ok, skip, warn, type Check } from './check.ts'

const TIMEOUT_MS = 5_000

/** Networks that cannot be reached from the internet. */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, bits)
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')
PRIVATE.addAddress('::1', 'ipv6')

export interface WebhookAsked {
  urls: readonly string[]
  /** The gateway is a local simulator or proxy, which also reaches private addresses. */
  near: boolean
  production: boolean
}

/** Whether the gateway's notifications arrive at the configured address. */
export async function checkWebhooks({ urls, near, production }: WebhookAsked): Promise<Check[]> {
  if (urls.length === 0) {
    const detail = 'not checked: pass --webhook-url, the address in the gateway’s dashboard'
    return [skip('webhook', detail)]
  }
  const checks = await Promise.all(
    urls.map(async (text) => {
      const url = new URL(text)
      return [...(near ? [] : await reachChecks(url, production)), await answerCheck(url)]
    }),
  )
  return checks.flat()
}

/** What the gateway demands of an address (gateway-protocol.md#notification-transport). */
async function reachChecks(url: URL, production: boolean): Promise<Check[]> {
  const checks: Check[] = []
  if (!(await isPublic(url.hostname))) {
    const remedy =
      'Give an address the gateway can reach from the internet; a tunnel will do in the sandbox.'
    checks.push(fail('webhook', `${url.host} is not a public address`, remedy))
  }
  if (url.port !== '' && url.port !== '80' && url.port !== '443') {
    const remedy = 'Put it behind port 443; the gateway refuses others.'
    checks.push(fail('webhook', `${url.host} is not on a standard port`, remedy))
  }
  if (url.protocol !== 'https:') {
    const check = production ? fail : warn
    const remedy =
      'Use https with a certificate of a known authority; the gateway refuses self-signed ones.'
    checks.push(check('webhook', `${url.href} is not https`, remedy))
  }
  return checks
}

async function isPublic(hostname: string): Promise<boolean> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  try {
    const addresses =
      isIP(bare) === 0 ? await lookup(bare, { all: true }) : [{ address: bare, family: isIP(bare) }]
    return addresses.every(
      ({ address, family }) => !PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4'),
    )
  } catch {
    return false
  }
}

/** Sends an empty notification; Gapura refuses its form and stores nothing. */
async function answerCheck(url: URL): Promise<Check> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return verdict(url, reply.status, {
      location: reply.headers.get('location'),
      body: await reply.text(),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const words = cause instanceof Error ? cause.message : String(cause)
    const remedy = 'Check that the service runs there, and its certificate.'
    return fail('webhook', `${url.href} does not answer: ${words}`, remedy)
  }
}

function verdict(
  { href }: URL,
  status: number,
  { location, body }: { location: string | null; body: string },
): Check {
  if (status >= 300 && status < 400) {
    const remedy = `Give the gateway the final address${location === null ? '' : ` (${location})`}, or remove the redirect: notifications do not follow it and are lost. Gapura serves the path with and without its slash.`
    return fail('webhook', `${href} redirects (${status})`, remedy)
  }
  if (status === 400 && body.includes('urn:gapura:problem:'))
    return ok('webhook', `${href} is Gapura, and replies without a redirect`)
  if (status < 300) {
    return warn(
      'webhook',
      `${href} answers ${status} to an empty body, unlike Gapura`,
      'Check that the address leads to Gapura’s /notification/.',
    )
  }
  const remedy =
    'Check the address: it is where Gapura is mounted, then GAPURA_PREFIX, then /notification/.'
  return fail('webhook', `${href} answers ${status}`, remedy)
}
