// The compiler copies nothing but code: migrations and the files of the API page go beside the code
// that reads them. Run by a package's build, in the package's folder.
import { cpSync, rmSync } from 'node:fs'

for (const folder of ['store/migrations', 'api_page']) {
  // A file that was renamed before it was ever released must not stay behind in the build.
  rmSync(`dist/${folder}`, { recursive: true, force: true })
  cpSync(`src/${folder}`, `dist/${folder}`, {
    recursive: true,
    filter: (path) => !path.endsWith('tsconfig.json'),
  })
}
