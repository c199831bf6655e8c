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

/** Runs the thread to its end; the last message that is no part of lines is returned. */
async function posted(
  task: LinesTask | ColumnsTask,
  take: (message: Posted) => void,
): Promise<Posted> {
  const thread = new Worker(THREAD, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new FileProblem('takes too long to be read')), TIME_MS)
    thread.once('exit', () => clearTimeout(timer))
  })
  let last: Posted | undefined
  const ended = new Promise<Posted>((resolve, reject) => {
    thread.on('message', (message: Posted) => {
      take(message)
      last = message
    })
    thread.once('error', (error) => reject(problemOf(error)))
    thread.once('exit', () => {
      if (last === undefined) reject(new Error('a file was not read to its end'))
      else resolve(last)
    })
  })
  try {
    const end = await Promise.race([ended, late])
    if (end.kind === 'problem') throw new FileProblem(end.message)
    return end
  } finally {
    await thread.terminate()
  }
}

/** A thread that ran out of memory was given a file that is too large to be read. */
const problemOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new FileProblem('needs too much memory to be read')
    : error
