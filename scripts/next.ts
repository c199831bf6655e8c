// The service inside the real Next: packed as it would be published, installed with Next into a
// directory of its own, built and started. Then it runs the same requests as for every other host.
// Not part of CI, because Next is 340 MB.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildApp, testApp } from './next/packed_app.ts'

const NEXT_VERSION = '16'

const FILES: Record<string, string> = {
  'package.json': '{ "name": "shop", "private": true, "type": "module" }',
  // Without this Next answers /notification/ with a redirect, which loses the notification.
  'next.config.js': `export default {
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ['gapura'],
}
`,
  'gapura.js': `import { createGapura, SCOPES } from 'gapura'

const callers = {
  ani: { owner_id: 'ani', staff: false, scopes: SCOPES },
  budi: { owner_id: 'budi', staff: false, scopes: SCOPES },
}

export const gapura = createGapura({
  databaseUrl: process.env.DATABASE_URL,
  schema: process.env.GAPURA_SCHEMA,
  gateway: { server_key: process.env.GATEWAY_SERVER_KEY, base_url: process.env.GATEWAY_BASE_URL },
  prefix: '/shop/pay',
  authenticate: ({ headers }) => callers[headers['x-caller']],
})
`,
  'app/shop/pay/[...path]/route.js': `import { gapura } from '../../../../gapura.js'

const handler = gapura.fetchHandler
export { handler as GET, handler as HEAD, handler as POST }
export { handler as PUT, handler as PATCH, handler as DELETE }
`,
  'app/layout.js': `export default ({ children }) => <html><body>{children}</body></html>\n`,
}

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-next-'))

try {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  buildApp(folder, [`next@${NEXT_VERSION}`, 'react', 'react-dom'])
  process.exitCode = testApp(folder, 'packages/service/test/http/next_host.ts')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
