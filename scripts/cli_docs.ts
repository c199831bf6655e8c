// Writes docs/cli.md. A test of the command line fails if the file is out of date.
import { writeFileSync } from 'node:fs'
import { COMMANDS } from '../packages/cli/src/commands.ts'
import { referenceOf } from '../packages/cli/src/reference.ts'

writeFileSync(new URL('../docs/cli.md', import.meta.url), referenceOf(COMMANDS))
