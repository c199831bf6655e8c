// Scheduled exports: one mail for each period, whatever fails or dies meanwhile, and no payment data
// in it. A real SMTP connection, and a worker in a process of its own that is killed.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.ts'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { openMail, type Mail } from '../../src/main/optional_packages.ts'
import {
  createExportSchedule,
  deleteExportSchedule,
  listExportSchedules,
} from '../../src/services/staff/export_schedules.ts'
import { sendDueExports } from '../../src/services/sweeps/send_exports.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import { useMailServer } from '../main/mail_server.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { useService } from './service_bench.ts'

const service = useService()
const server = useMailServer()
const desk: Caller = { owner_id: 'desk', staff: true, scopes: SCOPES }
const URL_OF_SHOP = 'https://shop.example/pay'
const DAY_MS = 86_400_000

const input = (more: object = {}) => ({
  name: service.fresh('closing'),
  every: 'day',
  format: 'xlsx',
  recipients: ['finance@shop.example', 'owner@shop.example'],
  ...more,
})
const create = async (more: object = {}) =>
  await createExportSchedule(service.ctx, desk, input(more))
/** Moves the clock to the moment the mail is due, and some days on. */
const dueAt = async (schedule: { due_at: string }, days = 0): Promise<void> =>
  await service.database.do(async (tx) => {
    const now = await readClock(tx)
    const due = new Date(schedule.due_at).getTime() + days * DAY_MS
    await moveClock(tx, due - now.getTime() + 1_000)
  })
const send = async (mail: Mail) =>
  await sendDueExports(service.ctx, {
    public_url: URL_OF_SHOP,
    send: async (message) => await mail.send({ from: 'pay@shop.example', ...message }),
  })

async function withMail<Result>(work: (mail: Mail) => Promise<Result>): Promise<Result> {
  const mail = await openMail(server.smtp_url)
  try {
    return await work(mail)
  } finally {
    mail.close()
  }
}

beforeEach(async () => {
  server.judge(() => true)
  server.mails.length = 0
  await service.database.sql('delete from gapura.export_schedule')
})

const idsOf = () => server.mails.map(({ message_id }) => message_id)
const sentOf = async (id: string) =>
  (
    await service.database.sql(
      `select detail from gapura.audit_unsealed
       where subject_id = $1 and action = 'export_schedule.send' order by id`,
      [id],
    )
  ).map(({ detail }) => JSON.parse(String(detail)) as Record<string, unknown>)

describe('the mail of a period', () => {
  test('is sent once, the morning after it, with a link and without payment data', async () => {
    const made = await create({ name: 'Budi Santoso', owner_id: 'toko-budi' })
    const { id, period_from } = made
    await withMail(async (mail) => {
      expect(await send(mail)).toBe(0)
      await dueAt(made)
      expect(await send(mail)).toBe(1)
      expect(await send(mail)).toBe(0)
    })
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail?.to).toEqual(['finance@shop.example', 'owner@shop.example'])
    expect(mail?.message_id).toBe(`<${id}.${period_from}@shop.example>`)
    const text = (mail?.text ?? '').replaceAll('=\n', '').replaceAll('=3D', '=')
    expect(text).toContain(`${URL_OF_SHOP}/dashboard/#/exports/${id}?from=${period_from}`)
    expect(text).not.toMatch(/budi/i)
    expect(await sentOf(id)).toEqual([{ from: period_from, until: period_from, recipients: 2 }])
  })

  test('after an outage each period that passed has its own', async () => {
    const made = await create()
    const { id } = made
    await dueAt(made, 2)
    await withMail(async (mail) => expect(await send(mail)).toBe(3))
    const sent = await sentOf(id)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ from }) => from)).size).toBe(sent.length)
    expect(new Set(idsOf()).size).toBe(sent.length)
  })

  test('that the server refuses is tried again after five minutes, and the list says so', async () => {
    const made = await create({ every: 'week', language: 'en' })
    const { id } = made
    await dueAt(made)
    server.judge(() => false)
    await withMail(async (mail) => {
      expect(await send(mail)).toBe(0)
      expect(await send(mail)).toBe(0)
      const { results } = await listExportSchedules(service.ctx, desk)
      expect(results).toMatchObject([{ id, failed: true, sent_at: null }])
      server.judge(() => true)
      await service.database.do((tx) => moveClock(tx, 5 * 60_000 + 1))
      expect(await send(mail)).toBe(1)
    })
    expect(new Set(idsOf()).size).toBe(1)
    const { results } = await listExportSchedules(service.ctx, desk)
    expect(results).toMatchObject([{ id, failed: false }])
    expect(server.mails.at(-1)?.text).toContain('weekly export of payments')
  })

  test('of two workers at once only one sends it', async () => {
    const made = await create()
    const { id } = made
    await dueAt(made)
    await withMail(async (mail) => {
      await Promise.all([send(mail), send(mail), send(mail)])
    })
    expect([server.mails.length, (await sentOf(id)).length]).toEqual([1, 1])
  })
})

describe('a worker that is killed', () => {
  let script = ''
  const workers: ChildProcess[] = []
  beforeAll(async () => {
    script = await bundle('packages/service/test/tasks/worker_child.ts')
    await migrateJobs(service.ctx)
  })
  afterEach(() => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL')
  })
  const startProcess = (): ChildProcess => {
    const worker = spawn(process.execPath, [script], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATABASE: DATABASE_URL,
        SCHEMA: service.database.db.schema,
        GATEWAY: service.simulator.url,
        SERVER_KEY: service.simulator.server_key,
        SMTP: server.smtp_url,
      },
    })
    workers.push(worker)
    return worker
  }

  test('before the mail server has answered leaves the period to the next, under the same id', async () => {
    const made = await create({ every: 'month' })
    const { id, period_from } = made
    await dueAt(made)
    const victim = startProcess()
    server.judge(async () => {
      victim.kill('SIGKILL')
      await once(victim, 'exit')
      return true
    })
    await eventually(
      async () => await Promise.resolve(server.mails.length),
      (count) => count === 1,
      30_000,
    )
    await eventually(
      async () => await Promise.resolve(victim.signalCode),
      (signal) => signal === 'SIGKILL',
    )
    expect(await sentOf(id)).toEqual([])
    server.judge(() => true)
    await service.database.do((tx) => moveClock(tx, 5 * 60_000 + 1))
    startProcess()
    const sent = await eventually(
      async () => await sentOf(id),
      ({ length }) => length === 1,
      30_000,
    )
    expect(sent).toMatchObject([{ from: period_from }])
    expect(idsOf()).toEqual(Array.from({ length: 2 }, () => `<${id}.${period_from}@shop.example>`))
  }, 90_000)
})

describe('staff', () => {
  test('create, list and end a schedule; the audit has no address', async () => {
    const { id, name } = await create({ status: 'settlement', payment_type: 'qris' })
    const { by_mail, results } = await listExportSchedules(service.ctx, desk)
    expect([by_mail, results.map((one) => one.id)]).toEqual([false, [id]])
    await expect(create({ name })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'name' }],
    })
    await expect(deleteExportSchedule(service.ctx, desk, id, {})).rejects.toMatchObject({
      errors: [{ field: 'reason' }],
    })
    await deleteExportSchedule(service.ctx, desk, id, { reason: 'no longer needed' })
    expect(await deleteExportSchedule(service.ctx, desk, id, { reason: 'again' })).toBeUndefined()
    const audit = await service.database.sql(
      'select action, actor, reason, detail from gapura.audit_unsealed where subject_id = $1 order by id',
      [id],
    )
    expect(audit).toMatchObject([
      { action: 'export_schedule.create', actor: 'desk', reason: null },
      { action: 'export_schedule.delete', actor: 'desk', reason: 'no longer needed' },
    ])
    expect(JSON.stringify(audit)).not.toContain('@')
  })

  test.each([
    [{ recipients: [] }, 'recipients'],
    [{ recipients: ['no address'] }, 'recipients.0'],
    [{ recipients: ['a@b.example, c@d.example'] }, 'recipients.0'],
    [{ every: 'hour' }, 'every'],
    [{ customer_email: 'x@shop.example' }, 'customer_email'],
    [{ name: ' ' }, 'name'],
  ])('%j is refused', async (more, field) => {
    await expect(create(more)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field }],
    })
  })
})
