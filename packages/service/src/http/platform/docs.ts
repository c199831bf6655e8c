// The interface document over HTTP, and the API page to read it and try it with (ADR 0023). The
// page is the files of `src/api_page`; it requests nothing outside the mount prefix.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admit } from './authentication.ts'
import { documentOf } from './openapi.ts'
import { refuseOtherMethods, spellings } from './paths.ts'
import { PAGE_HEADERS } from './replies.ts'
import type { Route } from './route.ts'

/** Who may read the document: callers, everyone, or no one: then it is not served. */
export const DOCS_ACCESS = ['callers', 'public', 'off'] as const
export type DocsAccess = (typeof DOCS_ACCESS)[number]

interface DocsOptions {
  routes: readonly Route[]
  admit: Admit
  docs?: DocsAccess
  is_production?: boolean
  /** The request as its client sent it. */
  original: (request: FastifyRequest) => { url: string; native: unknown }
}

const DOCUMENT = '/openapi.json'
const PAGE = '/docs/'

/** At the same place in the sources and in the build. */
const FOLDER = new URL('../../api_page/', import.meta.url)
const MANIFEST = new URL('../../../package.json', import.meta.url)

const SCRIPTS = [
  'page.js',
  'access.js',
  'dom.js',
  'inputs.js',
  'overview.js',
  'operation.js',
  'reply_view.js',
  'request.js',
  'schema.js',
  'schema_view.js',
  'sidebar.js',
  'try_it.js',
]
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SCRIPTS.map((name) => [name, 'text/javascript; charset=utf-8'])),
  'page.css': 'text/css; charset=utf-8',
  'form.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

export async function addDocs(app: FastifyInstance, options: DocsOptions): Promise<void> {
  if (options.docs === 'off') return
  await addDocument(app, options)
  await addPage(app, options)
}

async function addDocument(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { routes, admit, original, docs, is_production = false } = options
  const document = documentOf(routes, await ownVersion())
  app.route({
    method: 'GET',
    url: DOCUMENT,
    exposeHeadRoute: true,
    onRequest: async (request, reply) => {
      if (docs !== 'public') await admit(request, reply)
    },
    handler: async (request, reply) => {
      const [path = ''] = original(request).url.split('?', 1)
      const here = path.slice(0, -DOCUMENT.length)
      const served = {
        ...document,
        servers: [{ url: here === '' ? '/' : here }],
        'x-environment': is_production ? 'production' : 'sandbox',
      }
      return await reply.header('content-type', 'application/json; charset=utf-8').send(served)
    },
  })
  refuseOtherMethods(app, DOCUMENT, ['GET', 'HEAD'])
}

/** The page's files are the same in every installation and say nothing of this one: open to all. */
async function addPage(app: FastifyInstance, { original }: DocsOptions): Promise<void> {
  const html = await readFile(new URL('page.html', FOLDER), 'utf8')
  const serve = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => string) => {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      handler: async (request, reply) =>
        await reply.headers(PAGE_HEADERS).send(answer(request, reply)),
    })
  }
  for (const url of spellings(app, PAGE)) {
    serve(url, (request, reply) => {
      reply.header('content-type', 'text/html; charset=utf-8')
      // Relative addresses are right at any prefix, also one that a proxy takes off before us; what
      // they are relative to depends on the slash.
      const [path = ''] = original(request).url.split('?', 1)
      return html.replaceAll('{folder}', path.endsWith('/') ? './' : './docs/')
    })
  }
  refuseOtherMethods(app, PAGE, ['GET', 'HEAD'])
  for (const [name, type] of Object.entries(FILES)) {
    const content = await readFile(new URL(name, FOLDER), 'utf8')
    serve(`${PAGE}${name}`, (_request, reply) => {
      reply.header('content-type', type)
      return content
    })
    refuseOtherMethods(app, `${PAGE}${name}`, ['GET', 'HEAD'])
  }
}

async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const named = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return named && typeof manifest.version === 'string' ? manifest.version : ''
}
