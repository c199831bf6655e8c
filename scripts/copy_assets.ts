// The compiler copies only code, so this copies migrations and the files of the API page beside the
// code that reads them. A package's build runs it in the package's folder.
import { cpSync, rmSync } from 'node:fs'

for (const folder of ['store/migrations', 'api_page']) {
  // Removes old copies, so that a renamed file does not stay in the build.
  rmSync(`dist/${folder}`, { recursive: true, force: true })
  cpSync(`src/${folder}`, `dist/${folder}`, {
    recursive: true,
    filter: (path) => !path.endsWith('tsconfig.json'),
  })
}
