// A process of a test or a campaign in one file. The service is a thousand modules; finding and
// loading each takes a start up to two seconds of processor, which on a small machine is most of what
// hundreds of starts would measure.
import { rmSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Inside the tree, so that what stays outside of the bundle is found from there. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/gapura-processes')

/** Packages of many modules that bundle well. The others stay outside, as they were installed. */
const INSIDE = new Set(['typebox', 'jose', 'cockatiel', '@opentelemetry/api'])

const packageOf = (id: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
const isOutside = (id: string): boolean =>
  !id.startsWith('.') && !path.isAbsolute(id) && !INSIDE.has(packageOf(id))

/** The bundled form of a script, by its place in the tree; made anew and gone with this process. */
export async function bundle(script: string): Promise<string> {
  await mkdir(FOLDER, { recursive: true })
  const file = path.join(FOLDER, `${path.basename(script, '.ts')}-${process.pid}.mjs`)
  await build({
    input: path.resolve(ROOT, script),
    platform: 'node',
    external: isOutside,
    resolve: { conditionNames: ['@gapura/source', 'node', 'import', 'default'] },
    logLevel: 'silent',
    plugins: [
      {
        name: 'files beside a module are found from where it was',
        load: async (id) => {
          if (!id.endsWith('.ts')) return null
          const code = await readFile(id, 'utf8')
          return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        },
      },
    ],
    output: { file, format: 'esm', codeSplitting: false },
  })
  process.once('exit', () => rmSync(file, { force: true }))
  return file
}
