// Writes docs/cli.md anew. The test beside the commands fails where the file has fallen behind.
import { writeFileSync } from 'node:fs'
import { COMMANDS } from '../packages/cli/src/commands.ts'
import { referenceOf } from '../packages/cli/src/reference.ts'

writeFileSync(new URL('../docs/cli.md', import.meta.url), referenceOf(COMMANDS))
