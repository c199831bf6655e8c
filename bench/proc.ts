// Memory and processor time of a process, as the kernel counts them: the process itself is not
// disturbed.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** Resident memory in megabytes. */
export async function residentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) / 1_024
}

/** Seconds of processor time used by a process and by the kernel for it; 0 if it has ended. */
export async function processorOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name may hold spaces and brackets; what follows the last bracket does not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The sum over several processes. */
export async function processorsOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(processorOf))
  return each.reduce((sum, one) => sum + one, 0)
}

/** The server's processes that serve connections with this application name. */
export async function backendsOf(pool: Pool, application_name: string): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid
     from pg_stat_activity
     where application_name = $1 and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    [application_name],
  )
  return rows.map(({ pid }) => pid)
}
