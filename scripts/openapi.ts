// Writes docs/openapi.json anew. The test beside the routes fails where the file has fallen behind.
import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../packages/service/src/http/openapi.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const { version } = JSON.parse(read('../packages/service/package.json')) as { version: string }
const text = `${JSON.stringify(openApiDocument(version), null, 2)}\n`
writeFileSync(new URL('../docs/openapi.json', import.meta.url), text)
