// A request out of what was filled in, and the same as a line for a shell.

/** @typedef {import('./schema.js').Operation} Operation */

/**
 * @typedef {object} Filled
 * @property {Record<string, string>} path
 * @property {Record<string, string>} query
 * @property {Record<string, string>} headers
 * @property {string} body
 *
 * @typedef {{ method: string, url: string, headers: Record<string, string>, body: string | undefined }} ApiRequest
 */

/**
 * What is left empty is not sent: to us an empty filter is a mistake.
 * @param {Operation} operation
 * @param {Filled} filled
 * @param {{ base: string, headers: Record<string, string> }} access
 * @returns {ApiRequest}
 */
export function requestOf(operation, filled, { base, headers: known }) {
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, /** @type {string} */ name) => {
    const value = filled.path[name]
    return value ? encodeURIComponent(value) : whole
  })
  const query = new URLSearchParams(
    Object.entries(filled.query).filter(([, value]) => value !== ''),
  )
  const search = query.size === 0 ? '' : `?${query}`
  const body = operation.body && filled.body.trim() !== '' ? filled.body : undefined
  const own = Object.entries(filled.headers).filter(([, value]) => value !== '')
  return {
    method: operation.method,
    url: `${base.replace(/\/$/, '')}${path}${search}`,
    headers: {
      ...(operation.open ? {} : known),
      ...Object.fromEntries(own),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body,
  }
}

/** Where the key stands in a line that people paste into chats and keep in histories. */
const KEY_IN_SHELL = '"Authorization: Bearer $GAPURA_KEY"'

/**
 * The request for a POSIX shell. The key itself is left out of it.
 * @param {ApiRequest} request
 * @param {boolean} needs_caller
 */
export function curlOf({ method, url, headers, body }, needs_caller) {
  const parts = [`curl -sS -X ${method} ${quoted(url)}`]
  if (needs_caller) parts.push(`-H ${KEY_IN_SHELL}`)
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'authorization') parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (body !== undefined) parts.push(`-d ${quoted(tight(body))}`)
  return parts.join(' \\\n  ')
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param {string} body */
function tight(body) {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

/**
 * Header lines as `Name: value`.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export const headersIn = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^\s*([\w-]+)\s*:\s*(.*?)\s*$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
