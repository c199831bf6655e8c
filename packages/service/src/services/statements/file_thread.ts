// The thread that reads files, one after another. Lines are posted in parts, so that the receiving
// thread is never held up by one large message.
import { parentPort } from 'node:worker_threads'
import { columnsOf, linesOf, type ColumnsTask, type LinesTask } from './file_tasks.ts'
import { FileProblem } from './files/parsed_file.ts'
import type { Posted } from './read_apart.ts'

const PART = 500

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- Of a thread, not of a window.
const post = (message: Posted): void => parentPort?.postMessage(message)

function read(given: LinesTask | ColumnsTask): void {
  if (given.task === 'columns') {
    post({ kind: 'columns', columns: columnsOf(given) })
    return
  }
  const { lines, refused, summary } = linesOf(given)
  for (let at = 0; at < lines.length; at += PART) {
    post({ kind: 'lines', lines: lines.slice(at, at + PART) })
  }
  for (let at = 0; at < refused.length; at += PART) {
    post({ kind: 'refused', refused: refused.slice(at, at + PART) })
  }
  post({ kind: 'read', summary })
}

parentPort?.on('message', (given: LinesTask | ColumnsTask) => {
  try {
    read(given)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    post({ kind: 'problem', message: error.message })
  }
})
