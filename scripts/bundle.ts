// Bundles a program into one file: loading two thousand modules takes up to two seconds of processor
// time at each start. As a command it replaces a built file, as the image does with the command line.
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'

/** Packages with many modules that can be bundled, and the bundler's own. The others stay as installed. */
const INSIDE = new Set([
  'typebox',
  'undici',
  'jose',
  'cockatiel',
  '@opentelemetry/api',
  '@oxc-project/runtime',
])
const OURS = /^(?:gapura|@gapura\/\w+)$/

const packageOf = (id: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id

interface Bundle {
  input: string
  /** Where modules outside of the bundle must be found from. */
  output: string
  /** Whether our packages are taken as sources or as built. */
  from: 'sources' | 'built'
}

export async function bundleInto({ input, output, from }: Bundle): Promise<void> {
  mkdirSync(path.dirname(output), { recursive: true })
  const isInside = (id: string): boolean =>
    INSIDE.has(packageOf(id)) || (from === 'built' && OURS.test(id))
  await build({
    input: path.resolve(input),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !isInside(id),
    resolve: {
      conditionNames: [
        ...(from === 'sources' ? ['@gapura/source'] : []),
        'node',
        'import',
        'default',
      ],
    },
    logLevel: 'silent',
    plugins: [
      {
        name: 'files beside a module are found from where it was',
        load: (id) => {
          if (id.includes('/node_modules/') || !/\.[jt]s$/.test(id)) return null
          const code = readFileSync(id, 'utf8')
          return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        },
      },
    ],
    output: { file: output, format: 'esm', codeSplitting: false },
  })
}

if (import.meta.main) {
  const [, , file = ''] = process.argv
  await bundleInto({ input: file, output: `${file}.bundle.js`, from: 'built' })
  renameSync(`${file}.bundle.js`, file)
}
