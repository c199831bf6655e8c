import { fail, ok, type Check } from './check.ts'

const NODE_MIN = 24

/** bin/gapura.js checks it too; this covers a start from the sources. */
export function checkNode(version: string = process.versions.node): Check {
  const major = Number(version.split('.')[0])
  if (major >= NODE_MIN) return ok('node', `Node ${version}`)
  const remedy = `Install Node ${NODE_MIN} (nodejs.org, nvm install ${NODE_MIN}) and run it again.`
  return fail('node', `this is Node ${version}, and Gapura needs ${NODE_MIN} or newer`, remedy)
}
