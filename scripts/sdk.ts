// Writes the SDK's types and methods from docs/openapi.json. A test fails if they are out of date.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { OpenApi } from './sdk/document.ts'
import { sdkFiles } from './sdk/files.ts'

const root = new URL('..', import.meta.url)
const document = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as OpenApi
const folder = new URL('packages/sdk/src/api/', root)
const files = sdkFiles(document)
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
