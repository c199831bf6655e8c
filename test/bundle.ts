// Bundles a test or campaign process into one file. Loading a thousand modules takes up to two seconds
// of processor time at each start, which would dominate campaigns with hundreds of starts.
import { rmSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Inside the tree, so that modules outside of the bundle are found from there. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/gapura-processes')

/** Packages with many modules that can be bundled. The others stay as installed. */
const INSIDE = new Set(['typebox', 'jose', 'cockatiel', '@opentelemetry/api'])

const packageOf = (id: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
const isOutside = (id: string): boolean =>
  !id.startsWith('.') && !path.isAbsolute(id) && !INSIDE.has(packageOf(id))

/** Bundles a script of the tree; the bundle is deleted when this process ends. */
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
