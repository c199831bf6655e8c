// The mail of scheduled exports: that one is ready, and a link to it. The file is made when a staff
// member opens the link and is signed in, so that no personal data is in a mailbox (ADR 0037).
import { errorName } from '../../domain/error_name.ts'
import {
  exportDueAt,
  periodAfter,
  type ExportLanguage,
  type ExportPeriod,
  type ExportSchedule,
} from '../../domain/export_schedule.ts'
import { addDays } from '../../domain/time.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { claimDueExport, recordExportSent } from '../../store/staff/export_schedules.ts'
import { recordOwnAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/** What the alarms' mail is sent with. */
export interface ExportMail {
  /** Where browsers reach the service, prefix included. */
  public_url: string
  send: (message: ExportMessage) => Promise<void>
}

export interface ExportMessage {
  to: readonly string[]
  subject: string
  text: string
  /** The same for every try of one period, so that a mail server can drop the second. */
  message_id: string
}

/** Longer than any mail takes; a failed one is tried again after it. */
const LEASE_MS = 5 * 60_000
const ROUND_MAX = 100

/**
 * Sends the mail of every period that is due; after an outage each period has its own. A process that
 * dies before the mail server has the mail sends nothing, and another worker does; one that dies after
 * that and before the record sends the same message once more, with the same id.
 */
export async function sendDueExports(ctx: Context, mail: ExportMail): Promise<number> {
  let sent = 0
  for (let round = 0; round < ROUND_MAX; round += 1) {
    const due = await withTransaction(ctx.db, async (tx) => await claimDueExport(tx, LEASE_MS))
    if (due === undefined) return sent
    try {
      await mail.send(messageOf(due, mail.public_url))
    } catch (error) {
      const { id, attempts } = due
      ctx.log.warn(
        { schedule: id, attempts, error: errorName(error) },
        'scheduled export not sent, and is retried',
      )
      continue
    }
    if (await recordSent(ctx, due)) sent += 1
  }
  return sent
}

const recordSent = async (ctx: Context, due: ExportSchedule): Promise<boolean> =>
  await withTransaction(ctx.db, async (tx) => {
    const period_from = periodAfter(due.every, due.period_from)
    const next = { period_from, due_at: exportDueAt(due.every, period_from) }
    if (!(await recordExportSent(tx, due, next))) return false
    await recordOwnAudit(tx, ctx, {
      action: 'export_schedule.send',
      subject_kind: 'export_schedule',
      subject_id: due.id,
      detail: { ...periodIn(due), recipients: due.recipients.length },
    })
    return true
  })

/** The first and the last day of the period. */
const periodIn = ({ every, period_from }: Pick<ExportSchedule, 'every' | 'period_from'>) => ({
  from: period_from,
  until: addDays(periodAfter(every, period_from), -1),
})

interface Words {
  every: Readonly<Record<ExportPeriod, string>>
  subject: string
  ready: string
  link: string
  why: string
}

const WORDS: Readonly<Record<ExportLanguage, Words>> = {
  en: {
    every: { day: 'daily', week: 'weekly', month: 'monthly' },
    subject: 'Gapura: {every} export of payments, {period}',
    ready: 'The {every} export of payments of {period} is ready.',
    link: 'Sign in and download it:',
    why: 'This mail has no payment data. It is sent because a staff member of the shop added this address; it can be removed in the dashboard under Scheduled exports.',
  },
  id: {
    every: { day: 'harian', week: 'mingguan', month: 'bulanan' },
    subject: 'Gapura: ekspor pembayaran {every}, {period}',
    ready: 'Ekspor pembayaran {every} untuk {period} sudah siap.',
    link: 'Masuk lalu unduh di sini:',
    why: 'E-mail ini tidak memuat data pembayaran. E-mail ini dikirim karena staf toko menambahkan alamat ini; alamat dapat dihapus di dasbor pada halaman Ekspor terjadwal.',
  },
}

/** Neither name nor filters of the schedule: staff wrote them, and they could name a customer. */
function messageOf(due: ExportSchedule, public_url: string): ExportMessage {
  const words = WORDS[due.language]
  const { from, until } = periodIn(due)
  const period = from === until ? from : `${from} – ${until}`
  const said = (text: string): string =>
    text.replace('{every}', words.every[due.every]).replace('{period}', period)
  const link = `${public_url.replace(/\/$/, '')}/dashboard/#/exports/${due.id}?from=${from}`
  return {
    to: due.recipients,
    subject: said(words.subject),
    text: `${said(words.ready)}\n\n${words.link}\n${link}\n\n${words.why}\n`,
    message_id: `<${due.id}.${from}@${new URL(public_url).hostname}>`,
  }
}
