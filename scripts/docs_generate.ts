// Writes the generated pages of docs/. Needs the PostgreSQL that the tests use.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generatedFiles } from './docs/generated/files.ts'

const { PGHOST = '127.0.0.1', PGPORT = '5432', PGUSER = 'root', PGDATABASE = 'test' } = process.env
const files = await generatedFiles(`postgres://${PGUSER}@${PGHOST}:${PGPORT}/${PGDATABASE}`)
for (const [file, text] of files) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
console.log(`${files.size} files written`)
