// The looks are enough: what passes them is only ever a key to count by.
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const IPV6 = /^[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:%\w{1,20})?$/i

/**
 * Where a request comes from, as far as it can be known: the connection's address, or what the
 * outermost of our own proxies saw. What stands further left in the header anybody can write.
 */
export function sourceAddress(
  remote: string | undefined,
  forwarded: string | readonly string[] | undefined,
  trusted_proxies: number,
): string | null {
  if (trusted_proxies === 0) return bucketOf(remote)
  const hops = [forwarded ?? []].flat().join(',').split(',')
  return bucketOf(hops.at(-trusted_proxies)?.trim()) ?? bucketOf(remote)
}

/** One of IPv6 is a whole network: its holder has 2^64 of them. */
function bucketOf(address: string | undefined): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  if (IPV4.test(plain)) return plain
  return IPV6.test(plain) ? prefixOf(plain) : null
}

const GROUPS = 8
const GROUPS_OF_NETWORK = 4

function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length
  const zeros = Array.from({ length: Math.max(0, missing) }, () => '0')
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`
}
