// Whether events may be sent to an address. A caller chooses the URL, and our network is behind us:
// only public addresses are called, checked when the URL is stored and again at every connection.
import { lookup as lookupAll, type LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'

const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** All that is assigned to the public internet; what carries an IPv4 address inside is not in it. */
const PUBLIC_V6 = '2000::/3'

/** Inside of it: protocols and Teredo, documentation (two), 6to4. */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

const private_v4 = listOf(PRIVATE_V4, 'ipv4')
const public_v6 = listOf([PUBLIC_V6], 'ipv6')
const private_v6 = listOf(PRIVATE_V6, 'ipv6')

/** An address that is not of the public internet, or that this process cannot read. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return private_v4.check(address, 'ipv4')
  if (family === 6) return !public_v6.check(address, 'ipv6') || private_v6.check(address, 'ipv6')
  return true
}

export interface AddressRules {
  /** For development: http, any port, and addresses of this machine and its networks. */
  allow_private: boolean
}

const HTTPS_PORTS: ReadonlySet<string> = new Set(['', '443'])
const NAME_LENGTH_MAX = 253
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Undefined, or what is wrong with a URL that events are to be sent to. Asks no name server. */
export function addressFault(text: string, { allow_private }: AddressRules): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return 'must be a URL, such as https://shop.example/webhooks'
  const allowed = allow_private ? ['http:', 'https:'] : ['https:']
  if (!allowed.includes(url.protocol)) return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (url.hash !== '') return 'must not have a part behind #'
  if (allow_private) return undefined
  if (!HTTPS_PORTS.has(url.port)) return 'must use port 443'
  // URL has turned every spelling of an address (0x7f.1, 2130706433, ::ffff:1) into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPrivateAddress(host) ? NOT_PUBLIC : undefined
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > NAME_LENGTH_MAX || labels.length < 2) return NOT_PUBLIC
  return labels.every((label) => LABEL.test(label)) ? undefined : NOT_PUBLIC
}

const NOT_PUBLIC = 'must have a public address'

/** No connection is made: the name has a private address, or none that may be called. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

type Found = (error: Error | null, addresses: LookupAddress[]) => void
export type Resolve = (host: string, options: { all: true }, found: Found) => void

type Answer = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Resolves a name for a connection. If any of its addresses is private, none is called: a name that
 * answers with both would otherwise be tried until the private one is chosen.
 */
export const publicLookup =
  ({ allow_private }: AddressRules, resolve: Resolve = lookupAll) =>
  (host: string, { all = false }: { all?: boolean | undefined }, answer: Answer): void => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error !== null) return answer(error, '')
      const [first] = addresses
      if (first === undefined) return answer(new AddressRefused('the name has no address'), '')
      if (!allow_private && addresses.some(({ address }) => isPrivateAddress(address))) {
        return answer(new AddressRefused('the name has a private address'), '')
      }
      if (all) return answer(null, addresses)
      return answer(null, first.address, first.family)
    })
  }
