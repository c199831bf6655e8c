// Reads a file on a thread of its own: payments go on meanwhile, and a hostile file has the memory and
// the time of its thread alone.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  columnsOf,
  linesOf,
  type ColumnsTask,
  type FileRead,
  type LinesTask,
} from './file_tasks.ts'
import { FileProblem, type FileSummary, type RefusedLine } from './files/parsed_file.ts'
import type { PortalColumns } from './files/portal.ts'
import type { NewLine } from '../../store/statements/lines.ts'

/** What the thread posts: lines and refused lines in parts, and one message of the others. */
export type Posted =
  | { kind: 'lines'; lines: NewLine[] }
  | { kind: 'refused'; refused: RefusedLine[] }
  | { kind: 'read'; summary: FileSummary }
  | { kind: 'columns'; columns: PortalColumns }
  | { kind: 'problem'; message: string }

const MEMORY_MB = 512
const TIME_MS = 60_000
/** How long a thread waits for another file, and after which file it is ended for its memory. */
const KEPT_MS = 5_000
const KEPT_BYTES_MAX = 1_000_000

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const THREAD = new URL(`./file_thread.${ending}`, import.meta.url)
/** Not where a host has bundled the service into one file: then it is read in place. */
const has_thread = existsSync(fileURLToPath(THREAD))

/** One file at a time: several large ones would need the memory of several threads. */
let queue: Promise<unknown> = Promise.resolve()

async function inTurn<Read>(read: () => Promise<Read>): Promise<Read> {
  const reading = queue.then(read, read)
  queue = reading.catch(() => undefined)
  return await reading
}

/** The lines of a file, or the problem that it has. */
export async function readLines(task: LinesTask): Promise<FileRead> {
  if (!has_thread) return linesOf(task)
  const lines: NewLine[] = []
  const refused: RefusedLine[] = []
  const end = await inTurn(
    async () =>
      await posted(task, (message) => {
        if (message.kind === 'lines') lines.push(...message.lines)
        if (message.kind === 'refused') refused.push(...message.refused)
      }),
  )
  if (end.kind !== 'read') throw new Error('a file was not read to its end')
  return { lines, refused, summary: end.summary }
}

/** The columns of a portal's export, or the problem that it has. */
export async function readColumns(task: ColumnsTask): Promise<PortalColumns> {
  if (!has_thread) return columnsOf(task)
  const end = await inTurn(async () => await posted(task, () => undefined))
  if (end.kind !== 'columns') throw new Error('a file was not read to its end')
  return end.columns
}

/** The thread of the last file: to start one takes longer than to read most files. */
let kept: Worker | undefined
let kept_timer: NodeJS.Timeout | undefined

const startThread = (): Worker => {
  const thread = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
  // Without a listener the error of a thread that waits would end the process.
  thread.on('error', () => undefined)
  thread.once('exit', () => {
    if (kept === thread) kept = undefined
  })
  return thread
}

/** Keeps the thread for the next file, and ends it if none comes soon. The process need not wait. */
function keep(thread: Worker): void {
  kept = thread
  thread.unref()
  kept_timer = setTimeout(() => {
    // Forgotten first: a file that comes while it ends must start another.
    kept = undefined
    void thread.terminate()
  }, KEPT_MS).unref()
}

function takeThread(): Worker {
  clearTimeout(kept_timer)
  const thread = kept ?? startThread()
  kept = undefined
  thread.ref()
  return thread
}

/** Has a thread read the file. One that failed, was late or has read a large file is ended. */
async function posted(
  task: LinesTask | ColumnsTask,
  take: (message: Posted) => void,
): Promise<Posted> {
  const thread = takeThread()
  let is_done = false
  try {
    const end = await answerOf(thread, task, take)
    is_done = task.bytes.length <= KEPT_BYTES_MAX
    if (end.kind === 'problem') throw new FileProblem(end.message)
    return end
  } finally {
    if (is_done) keep(thread)
    else await thread.terminate()
  }
}

/** The message that ends a file; those before it are its lines. */
async function answerOf(
  thread: Worker,
  task: LinesTask | ColumnsTask,
  take: (message: Posted) => void,
): Promise<Posted> {
  const { promise, resolve, reject } = Promise.withResolvers<Posted>()
  const onMessage = (message: Posted): void => {
    if (message.kind === 'lines' || message.kind === 'refused') take(message)
    else resolve(message)
  }
  const onError = (error: unknown): void => reject(problemOf(error))
  const onExit = (): void => reject(new Error('a file was not read to its end'))
  const timer = setTimeout(() => reject(new FileProblem('takes too long to be read')), TIME_MS)
  thread.on('message', onMessage).on('error', onError).on('exit', onExit)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Of a thread, not of a window.
  thread.postMessage(task)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', onMessage).off('error', onError).off('exit', onExit)
  }
}

/** A thread that ran out of memory was given a file that is too large to be read. */
const problemOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new FileProblem('needs too much memory to be read')
    : error
