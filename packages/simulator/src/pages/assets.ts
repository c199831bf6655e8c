import { route, type ControlRoute } from '../control/reply.ts'
import { LIVE_SCRIPT } from './live_script.ts'
import { ICON } from './logo.ts'
import { CONSOLE_STYLE } from './style_console.ts'
import { PAYER_STYLE } from './style_payer.ts'
import { BASE_STYLE } from './style_base.ts'

/** A file at its path. */
export const fileRoute = (path: string, type: string, text: string): ControlRoute =>
  route(`GET ${path}`, () => ({
    http_status: 200,
    body: text,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      // Revalidated after each start, so that pages never mix two versions.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  }))

const asset = (name: string, type: string, text: string): ControlRoute =>
  fileRoute(`/_sim/assets/${name}`, type, text)

/** The files that the pages load; nothing is loaded from another server. */
export const ASSETS = [
  asset('style.css', 'text/css', BASE_STYLE + CONSOLE_STYLE + PAYER_STYLE),
  asset('live.js', 'text/javascript', LIVE_SCRIPT),
  asset('icon.svg', 'image/svg+xml', ICON),
]
