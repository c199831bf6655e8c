// The compiler copies no SQL: migrations go beside the code that reads them. Run by a package's
// build, in the package's folder.
import { cpSync, rmSync } from 'node:fs'

const from = 'src/store/migrations'
const to = 'dist/store/migrations'
// A migration that was renamed before it was ever released must not stay behind in the build.
rmSync(to, { recursive: true, force: true })
cpSync(from, to, { recursive: true })
