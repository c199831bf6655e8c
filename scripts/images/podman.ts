// Containers of the image, run by Podman as a cluster would run them: not root, nothing to write to, no
// privileges, a bound on memory.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Ended {
  code: number
  stdout: string
  /** Standard output and standard error. */
  text: string
}

/** Runs a program to its end; fails with what it printed. */
export function must(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}${stdout}`)
  return stdout.trim()
}

/** Programs of this machine that are needed and missing. */
export const missing = (...programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync('which', [program]).status !== 0)

// runc, because crun refuses machines whose cgroups are of both versions.
const PODMAN = ['--runtime=runc', '--cgroup-manager=cgroupfs']
const CONFINED = [
  '--network=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--memory=512m',
  // Within what the machine allows: Podman's own limits need a privilege.
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
]

export interface Role {
  name: string
  args: readonly string[]
  environment: Readonly<Record<string, string>>
}

export class Containers {
  readonly #image: string
  readonly #prefix = `gapura-suite-${process.pid}`
  readonly #names = new Set<string>()

  constructor(image: string) {
    this.#image = image
  }

  #run({ name, args, environment }: Role, ...options: string[]): string[] {
    const settings = Object.entries(environment).flatMap(([key, value]) => [
      '-e',
      `${key}=${value}`,
    ])
    const own = `${this.#prefix}-${name}`
    this.#names.add(own)
    return [
      ...PODMAN,
      'run',
      '--name',
      own,
      ...options,
      ...CONFINED,
      ...settings,
      this.#image,
      ...args,
    ]
  }

  /** Starts a process that goes on, and returns when the engine has started it. */
  async start(role: Role): Promise<Container> {
    await execute('podman', this.#run(role, '--detach'))
    return new Container(`${this.#prefix}-${role.name}`)
  }

  /** Runs a command to its end. */
  async run(role: Role): Promise<Ended> {
    try {
      const { stdout, stderr } = await execute('podman', this.#run(role, '--rm'))
      return { code: 0, stdout, text: stdout + stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, stdout, text: `${stdout}${stderr}` }
    }
  }

  removeAll(): void {
    for (const name of this.#names)
      spawnSync('podman', [...PODMAN, 'rm', '--force', '--time=0', '--ignore', name])
  }
}

export class Container {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** The main process, by the machine's own numbering. */
  get pid(): number {
    return Number(must('podman', 'inspect', '--format={{.State.Pid}}', this.name))
  }

  /** When the engine started the process, as a Unix time. */
  get started_ms(): number {
    const time = must('podman', 'inspect', '--format={{.State.StartedAt.UnixMilli}}', this.name)
    return Number(time)
  }

  /** What the process has used so far, in user and system. */
  get processor_ms(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // In hundredths of a second: fields 14 and 15 of proc(5).
    return (Number(fields[11]) + Number(fields[12])) * 10
  }

  exec(...command: string[]): Ended {
    const args = [...PODMAN, 'exec', this.name, ...command]
    const { status, stdout, stderr } = spawnSync('podman', args, { encoding: 'utf8' })
    return { code: status ?? 1, stdout, text: stdout + stderr }
  }

  signal(signal: 'TERM' | 'KILL'): void {
    must('podman', ...PODMAN, 'kill', `--signal=${signal}`, this.name)
  }

  /** Its exit code, and how long it took to end. */
  async ended(within_ms: number): Promise<{ code: number; ms: number }> {
    const began = performance.now()
    const args = [...PODMAN, 'wait', '--interval=20ms', this.name]
    const { stdout } = await execute('podman', args, { timeout: within_ms })
    return { code: Number(stdout.trim()), ms: performance.now() - began }
  }

  async restart(): Promise<void> {
    await execute('podman', [...PODMAN, 'start', this.name])
  }

  get logs(): string {
    const { stdout, stderr } = spawnSync('podman', ['logs', this.name], { encoding: 'utf8' })
    return stdout + stderr
  }
}

/** Asks until the answer is as wanted; fails after the deadline. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
  { what, within_ms }: { what: string; within_ms: number },
): Promise<Answer> {
  const end = performance.now() + within_ms
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined && wanted(answer)) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${within_ms} ms`)
    await sleep(10)
  }
}
