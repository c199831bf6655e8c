import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** The maximum size of the SDK in a browser: all exports in one file. */
export const GZIP_BYTES_MAX = 6_500

export interface BundledSdk {
  code: string
  minified_bytes: number
  gzip_bytes: number
}

/** The whole SDK as a bundler would ship it: one file, minified; `iife` is a script for old pages. */
export async function bundleSdk(format: 'esm' | 'iife' = 'esm'): Promise<BundledSdk> {
  const input = new URL('../../packages/sdk/src/index.ts', import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'neutral', logLevel: 'silent' })
  const { output } = await bundle.generate({ format, name: 'gapura', minify: true })
  await bundle.close()
  const code = output[0].code
  const minified_bytes = Buffer.byteLength(code)
  return { code, minified_bytes, gzip_bytes: gzipSync(code, { level: 9 }).length }
}
