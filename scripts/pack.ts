// Builds every published package and packs it into dist/packages, for installation before the
// packages are in a registry.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { buildAll, faultsOf, pack, published } from './quickstart/packages.ts'

const INTO = 'dist/packages'

buildAll()
rmSync(INTO, { recursive: true, force: true })
const faults = published().flatMap((one) => {
  const file = pack(one, INTO)
  console.log(path.relative('.', file))
  return faultsOf(one, file)
})
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
