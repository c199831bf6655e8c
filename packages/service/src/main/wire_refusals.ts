// Input that never becomes a request: bytes that are not HTTP, headers that are too long, a request
// that is not complete in time. Node would close the connection with a bare status line; the caller
// gets the same body as for every other refusal (api-rules.md#what-http-refuses).
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { gatewayError } from '../domain/errors.ts'
import { BASE_HEADERS } from '../http/platform/replies.ts'
import { problemOf, problemOfError, type Problem } from '../services/problem.ts'

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

const invalid = (field: string, message: string): Problem =>
  problemOfError(gatewayError('invalid_request', { errors: [{ field, message }] }), {
    request_id: randomUUID(),
  })

const headersOf = ({ request_id }: Problem, body: string): Record<string, string> => ({
  'content-type': PROBLEM_TYPE,
  'content-length': String(Buffer.byteLength(body)),
  ...BASE_HEADERS,
  'x-request-id': request_id,
  connection: 'close',
})

/** The parser gave up, or the client was too slow. There is no request, so the answer is bytes. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOfBytes(error.code)
  const { status } = problem
  const body = JSON.stringify(problem)
  const fields = Object.entries(headersOf(problem, body)).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`
  socket.end(`${[line, ...fields].join('\r\n')}\r\n\r\n${body}`)
}

function problemOfBytes(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problemOf('headers_too_large', randomUUID())
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problemOf('payload_too_large', randomUUID())
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problemOf('request_timeout', randomUUID())
    default:
      return invalid('request', 'not HTTP/1.1')
  }
}

/** HTTP/1.1 asks for a Host, and a proxy may route by what another parser would make of none. */
export function refuseHostless(
  { headers, httpVersion }: IncomingMessage,
  response: ServerResponse,
) {
  if (headers.host !== undefined || httpVersion === '1.0') return false
  refuse(response, invalid('Host', 'required'))
  return true
}

export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, invalid('Expect', 'only 100-continue'))
}

function refuse(response: ServerResponse, problem: Problem): void {
  const body = JSON.stringify(problem)
  response.writeHead(problem.status, headersOf(problem, body)).end(body)
}
