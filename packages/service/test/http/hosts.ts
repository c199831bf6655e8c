// Every host we promise to live in, the real one, each with a prefix of two segments.
import 'reflect-metadata'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Module, type MiddlewareConsumer, type NestApplicationOptions } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll } from 'vitest'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { authenticate, listen, type useHttp } from './http_bench.ts'

const PREFIX = '/shop/pay'

/** Something that takes standard requests, as Hono and Next do. */
type Fetch = (request: Request) => Response | Promise<Response>

export function useHosts(http: ReturnType<typeof useHttp>) {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
  })

  /** Another instance on the same tables. */
  function another(options: Partial<GapuraOptions> = {}): Gapura {
    const { server_key, url: base_url } = http.parts.simulator
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, base_url },
      authenticate,
      ...options,
    })
    closing.push(gapura.close)
    return gapura
  }

  async function serving(server: Server): Promise<string> {
    const base = await listen(server)
    closing.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return `${base}${PREFIX}`
  }

  async function bareHttp(): Promise<string> {
    const gapura = another({ prefix: 'shop/pay/' })
    return await serving(createServer((request, response) => gapura.nodeHandler(request, response)))
  }

  async function fastify(options: object = {}): Promise<string> {
    const app = Fastify(options)
    await app.register(another().plugin, { prefix: PREFIX })
    closing.push(async () => await app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}${PREFIX}`
  }

  async function inExpress(...before: express.RequestHandler[]): Promise<string> {
    const app = express()
    for (const middleware of before) app.use(middleware)
    app.use(PREFIX, another().nodeHandler)
    return await serving(createServer(app))
  }

  async function expressRoot(): Promise<string> {
    const app = express()
    app.use(another({ prefix: PREFIX }).nodeHandler)
    app.get('/elsewhere', (_request, response) => void response.send('"the host"'))
    return await serving(createServer(app))
  }

  /** As in `main.ts`: before Nest's own parser, which comes with `listen`. */
  async function nest(options: NestApplicationOptions = {}): Promise<string> {
    class AppModule {
      readonly name = 'the host'
    }
    Module({})(AppModule)
    const app = await NestFactory.create(AppModule, { logger: false, ...options })
    app.use(PREFIX, another().nodeHandler)
    await app.listen(0, '127.0.0.1')
    closing.push(async () => await app.close())
    return `${await app.getUrl()}${PREFIX}`
  }

  /** As in a module: behind Nest's own parser. */
  async function nestModule(options: NestApplicationOptions = {}): Promise<string> {
    const gapura = another({ prefix: PREFIX })
    class PayModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(gapura.nodeHandler).forRoutes('shop/pay/*path')
      }
    }
    // By hand: decorators are syntax that Node does not strip.
    Module({})(PayModule)
    const app = await NestFactory.create(PayModule, { logger: false, ...options })
    await app.listen(0, '127.0.0.1')
    closing.push(async () => await app.close())
    return `${await app.getUrl()}${PREFIX}`
  }

  async function hono(): Promise<string> {
    const gapura = another({ prefix: PREFIX })
    const app = new Hono()
    app.all(`${PREFIX}/*`, async (context) => await gapura.fetchHandler(context.req.raw))
    return await serving(standardServer(app.fetch))
  }

  /** The exports of `app/shop/pay/[...path]/route.ts`, called as Next calls them. */
  async function nextRoute(): Promise<string> {
    const { fetchHandler } = another({ prefix: PREFIX })
    const route: Record<string, RouteHandler> = {
      GET: fetchHandler,
      HEAD: fetchHandler,
      POST: fetchHandler,
      PUT: fetchHandler,
      PATCH: fetchHandler,
      DELETE: fetchHandler,
    }
    return await serving(
      standardServer(async (request) => {
        const path = new URL(request.url).pathname.split('/').slice(3)
        const handler = route[request.method]
        if (handler === undefined) return new Response(null, { status: 405 })
        return await handler(new NextLikeRequest(request), { params: Promise.resolve({ path }) })
      }),
    )
  }

  const all: Record<string, () => Promise<string>> = {
    'bare node:http': bareHttp,
    Fastify: fastify,
    'Fastify that folds slashes': async () =>
      await fastify({ routerOptions: { ignoreTrailingSlash: true } }),
    'Express, no parser': inExpress,
    'Express behind express.json()': async () => await inExpress(express.json()),
    'Express behind express.text()': async () => await inExpress(express.text({ type: '*/*' })),
    'Express behind express.raw()': async () => await inExpress(express.raw({ type: '*/*' })),
    'Express at its root, with a prefix': expressRoot,
    'Nest, app.use': nest,
    'Nest, app.use, no parser': async () => await nest({ bodyParser: false }),
    'Nest, in a module': nestModule,
    'Nest, in a module, rawBody': async () => await nestModule({ rawBody: true }),
    'Nest, in a module, no parser': async () => await nestModule({ bodyParser: false }),
    Hono: hono,
    'Next, the handler form': nextRoute,
  }
  return { all, another, closing, serving, bareHttp, inExpress, expressRoot }
}

type RouteHandler = (request: Request, context: { params: Promise<object> }) => Promise<Response>

/** Next hands on a subclass of the standard request with its own view of the address. */
class NextLikeRequest extends Request {
  readonly nextUrl: URL

  constructor(request: Request) {
    super(request)
    this.nextUrl = new URL(request.url)
  }
}

/** What servers for standard requests do, bodies as streams included. */
function standardServer(answer: Fetch): Server {
  return createServer((request, response) => void handOn(answer, request, response))
}

async function handOn(
  answer: Fetch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers, url = '' } = request
  const bodied = method !== 'GET' && method !== 'HEAD'
  const reply = await answer(
    new Request(`http://host${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(bodied && { body: ReadableStream.from(request), duplex: 'half' }),
    }),
  )
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  response.end(Buffer.from(await reply.arrayBuffer()))
}
