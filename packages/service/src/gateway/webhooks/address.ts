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

// Also the ranges that carry an IPv4 address inside.
const PRIVATE_V6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const blocked = new BlockList()
for (const range of PRIVATE_V4) addRange(range, 'ipv4')
for (const range of PRIVATE_V6) addRange(range, 'ipv6')

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix] = range.split('/')
  blocked.addSubnet(network, Number(prefix), family)
}

/** An address that is not of the public internet, or that this process cannot read. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  // Of an IPv6 address with an IPv4 one inside (::ffff:0:0/96), the list tests the inner one.
  return blocked.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

export interface AddressRules {
  /** For development: http, any port, and addresses of this machine and its networks. */
  allow_private: boolean
}

const HTTPS_PORTS: ReadonlySet<string> = new Set(['', '443'])
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
  const labels = host.replace(/\.$/, '').split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return NOT_PUBLIC
  return undefined
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
