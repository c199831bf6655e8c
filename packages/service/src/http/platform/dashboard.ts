// The staff's pages, if their package is installed: files that are the same in every installation
// and hold no data, so they are open to all. What they ask for, they ask as staff (ADR 0024).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods, spellings } from './paths.ts'
import { PAGE_HEADERS } from './replies.ts'

/** A file of the dashboard, by its path below the folder; `index.html` is the page. */
export interface DashboardFile {
  content: Buffer
  type: string
}

export type DashboardFiles = ReadonlyMap<string, DashboardFile>

const FOLDER = '/dashboard'

/** Their names hold a hash of what is in them. */
const FOR_EVER = 'public, max-age=31536000, immutable'

interface DashboardOptions {
  dashboard?: DashboardFiles | undefined
  original: (request: FastifyRequest) => { url: string }
}

export function addDashboard(
  app: FastifyInstance,
  { dashboard = new Map(), original }: DashboardOptions,
): void {
  const page = dashboard.get('index.html')
  if (page === undefined) return
  const serve = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => void) => {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        reply.headers(PAGE_HEADERS)
        answer(request, reply)
        return await reply
      },
    })
  }
  // Relative addresses are right at any prefix, also one that a proxy takes off before us; what they
  // are relative to depends on the slash.
  const html = page.content.toString()
  for (const url of spellings(app, `${FOLDER}/`)) {
    serve(url, (request, reply) => {
      const [path = ''] = original(request).url.split('?', 1)
      const folder = path.endsWith('/') ? './' : './dashboard/'
      reply.header('content-type', page.type).send(html.replaceAll('="./', `="${folder}`))
    })
  }
  refuseOtherMethods(app, `${FOLDER}/`, ['GET', 'HEAD'])
  for (const [name, { content, type }] of dashboard) {
    if (name === 'index.html') continue
    serve(`${FOLDER}/${name}`, (_request, reply) => {
      reply.headers({ 'content-type': type, 'cache-control': FOR_EVER }).send(content)
    })
    refuseOtherMethods(app, `${FOLDER}/${name}`, ['GET', 'HEAD'])
  }
}
