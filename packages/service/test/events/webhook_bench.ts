// A receiver of webhooks: a real HTTP server that notes what it got and answers as it is asked to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { listen } from '../http/http_bench.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  event: { type: string; data: { id: string; sequence: number; object: { id: string } } }
}

type Answer = (got: Received, reply: ServerResponse) => void

const thank: Answer = (_got, reply) => void reply.writeHead(204).end()

export function useReceiver() {
  const received: Received[] = []
  /** By path; the others are thanked. */
  const answers = new Map<string, Answer>()
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const path = request.url ?? ''
      const event = JSON.parse(text) as Received['event']
      const got = { path, headers: request.headers, text, event }
      received.push(got)
      ;(answers.get(path) ?? thank)(got, reply)
    })
  })
  let url = ''
  beforeAll(async () => {
    url = await listen(server)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const at = (path: string): Received[] => received.filter((one) => one.path === path)
  return {
    received,
    at,
    urlOf: (path: string) => `${url}${path}`,
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    status: (path: string, status: number, headers: Record<string, string> = {}) =>
      void answers.set(path, (_got, reply) => void reply.writeHead(status, headers).end('no')),
    thank: (path: string) => void answers.delete(path),
    /** The sequences of one object that came to a path, in order of arrival. */
    sequencesOf: (path: string, object_id: string): number[] =>
      at(path)
        .filter(({ text }) => text.includes(object_id))
        .map(({ event }) => event.data.sequence),
  }
}
