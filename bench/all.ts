// `npm run bench:all`: every bench in turn, each in a process of its own; what follows `--` goes to
// all of them, so `--quick` is the one that makes sense. One that fails does not stop the others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const BENCHES = [
  'run.ts',
  'charges/run.ts',
  'reads/run.ts',
  'events/run.ts',
  'sweep/run.ts',
  'processes/run.ts',
  'memory/run.ts',
]

const failed: string[] = []
for (const file of BENCHES) {
  process.stdout.write(`\n## bench/${file}\n\n`)
  const path = new URL(file, import.meta.url).pathname
  const given = ['--conditions=@gapura/source', path, ...process.argv.slice(2)]
  const child = spawn(process.execPath, given, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) failed.push(file)
}
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
