import { endWhenUncaught } from 'gapura'
import { run } from './run.ts'
import { lineLogger } from './service_process.ts'

// A program that reads our output may stop early, as `head` does; that is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

endWhenUncaught(lineLogger({ write: (line) => void process.stderr.write(`${line}\n`) }))

process.exitCode = await run({
  argv: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
})
