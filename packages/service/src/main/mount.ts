/** `/pay` of `pay`, `/pay/` and `/pay`; empty for the root. Several segments are fine. */
export function prefixOf(prefix: string | undefined): string {
  const segments = (prefix ?? '').split('/').filter((segment) => segment !== '')
  if (!segments.every((segment) => /^[\w.~-]+$/.test(segment))) {
    throw new TypeError('a prefix is segments of letters, digits and . _ ~ -')
  }
  return segments.map((segment) => `/${segment}`).join('')
}

/** A URL below the prefix, with the prefix taken off, or nothing if it lies elsewhere. */
export function below(prefix: string, url: string): string | undefined {
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined
}
