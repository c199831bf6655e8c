// A minimal load balancer: it checks readiness, sends each request to the next ready process, and
// retries nothing, so that clients see every failure.
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Backend {
  port: number
  admin_port: number
}

const LOOK_EVERY_MS = 100
const LOOK_MS_MAX = 3_000
/** One failed check is a busy moment; the manifests have the same limit. */
const FAILURES_MAX = 3

export class Balancer {
  readonly backends = new Set<Backend>()
  /** Requests answered by the balancer itself, by reason. */
  readonly refused = { none_ready: 0, broken_off: 0 }
  readonly #ready = new Set<Backend>()
  readonly #failures = new Map<Backend, number>()
  readonly #server = createServer((request, response) => this.#pass(request, response))
  #turn = 0
  #url = ''

  static async open(): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    balancer.#url = `http://127.0.0.1:${(balancer.#server.address() as AddressInfo).port}`
    return balancer
  }

  get url(): string {
    return this.#url
  }

  /** Checks it from now on. Resolves when it is ready for the first time. */
  async add(backend: Backend, within_ms: number): Promise<void> {
    this.backends.add(backend)
    const end = performance.now() + within_ms
    while (!this.#ready.has(backend)) {
      if (performance.now() > end)
        throw new Error(`the process at port ${backend.port} is not ready`)
      await this.#look(backend)
      await pause()
    }
    void this.#watch(backend)
  }

  remove(backend: Backend): void {
    this.backends.delete(backend)
    this.#ready.delete(backend)
  }

  async #watch(backend: Backend): Promise<void> {
    while (this.backends.has(backend)) {
      await this.#look(backend)
      await pause()
    }
  }

  async #look(backend: Backend): Promise<void> {
    const url = `http://127.0.0.1:${backend.admin_port}/readyz`
    const ready = await fetch(url, { signal: AbortSignal.timeout(LOOK_MS_MAX) }).then(
      async (reply) => (await reply.text(), reply.ok),
      () => false,
    )
    const failures = ready ? 0 : (this.#failures.get(backend) ?? 0) + 1
    this.#failures.set(backend, failures)
    if (ready && this.backends.has(backend)) this.#ready.add(backend)
    else if (failures >= FAILURES_MAX) this.#ready.delete(backend)
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const ready = [...this.#ready]
    this.#turn += 1
    const backend = ready[this.#turn % ready.length]
    if (backend === undefined) {
      this.refused.none_ready += 1
      response.writeHead(502).end('{}')
      return
    }
    const { method, url } = request
    const headers = { ...request.headers, connection: 'close' }
    // A new connection each time: a kept one could end while a request is being sent.
    const place = { host: '127.0.0.1', port: backend.port, agent: false }
    const passed = send({
      ...place,
      method,
      path: url,
      headers,
    })
    passed.on('response', (reply) => {
      // The process's connection ends; the client's stays.
      const kept = { ...reply.headers, connection: 'keep-alive' }
      response.writeHead(reply.statusCode ?? 502, kept)
      reply.pipe(response)
    })
    passed.on('error', () => {
      this.refused.broken_off += 1
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end('{}')
    })
    request.pipe(passed)
  }
}

const pause = async (): Promise<void> =>
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
