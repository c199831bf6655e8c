// The wall clock of API processes and workers, moved while they run by Debian's faketime. Their
// monotonic clock stays true, as when a machine's time is set.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const LIBRARIES = '/usr/lib'
const LIBRARY = 'faketime/libfaketimeMT.so.1'

export class ProcessClock {
  /** What a process needs in its environment; empty where faketime is not installed. */
  readonly environment: Record<string, string> = {}
  readonly #file: string

  constructor() {
    const folder = mkdtempSync(path.join(tmpdir(), 'gapura-clock-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    this.#file = path.join(folder, 'clock')
    this.set(0)
    const library = findLibrary()
    if (library === undefined) return
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  get movable(): boolean {
    return 'LD_PRELOAD' in this.environment
  }

  /** Sets the offset of their clock from the true time. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }
}

function findLibrary(): string | undefined {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : []
  return folders.map((one) => path.join(LIBRARIES, one, LIBRARY)).find((file) => existsSync(file))
}
