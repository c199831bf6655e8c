// A test or campaign process in one file: module loading would dominate campaigns with hundreds of
// starts.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleInto } from '../scripts/bundle.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Inside the tree, so that modules outside of the bundle are found from there. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/gapura-processes')

/** Bundles a script of the tree; the bundle is deleted when this process ends. */
export async function bundle(script: string): Promise<string> {
  const file = path.join(FOLDER, `${path.basename(script, '.ts')}-${process.pid}.mjs`)
  await bundleInto({ input: path.resolve(ROOT, script), output: file, from: 'sources' })
  process.once('exit', () => rmSync(file, { force: true }))
  return file
}
