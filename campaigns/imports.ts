// Statements of every format, damaged in every way, each imported into a real database. A file may
// be refused whole; otherwise every line that can still be found in it is stored or listed as refused.
import { GatewayClient } from '../packages/service/src/gateway/client.ts'
import { GatewayError } from '../packages/service/src/domain/errors.ts'
import { withInbox } from '../packages/service/src/services/notifications/open_inbox.ts'
import { importStatement } from '../packages/service/src/services/statements/import_file.ts'
import { openDatabase } from '../packages/service/src/store/connection/database.ts'
import { createOwnDatabase, dropOwnDatabase } from '../packages/service/test/store/own_database.ts'
import { readArguments } from './bench/arguments.ts'
import { seeded, type Random } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { FORMATS, sampleOf, type Sample } from './imports/samples.ts'

const LINES_MAX = 25
const given = readArguments({ n: 10_000, quick_n: 300 })
const random = seeded(given.seed)
const url = await createOwnDatabase()
const db = openDatabase(url)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const gateway = new GatewayClient({ server_key: 'SB-Mid-server-campaign' })
const ctx = withInbox({
  db,
  gateway,
  log: silent,
  confirm_notifications: false,
  reached: () => undefined,
})
const caller = { owner_id: 'campaign', staff: true, scopes: ['staff:act'] as const }
const request = { caller, request_id: 'campaign', idempotency: null }

const NOISE = [
  '"',
  "'",
  ',',
  ';',
  '\n',
  '\r',
  '\0',
  '<',
  '>',
  '&',
  ':',
  '=',
  '-',
  '9',
  '\ufeff',
  '\t',
  'é',
]

/** One change of a text. */
const MUTATIONS: readonly ((text: string, random: Random) => string)[] = [
  (text) => text,
  (text, { fraction, pick }) => {
    const at = Math.floor(fraction() * text.length)
    return text.slice(0, at) + pick(NOISE) + text.slice(at)
  },
  (text, { fraction }) => {
    const at = Math.floor(fraction() * text.length)
    return text.slice(0, at) + text.slice(at + 1 + Math.floor(fraction() * 5))
  },
  (text, { fraction, pick }) => {
    const at = Math.floor(fraction() * text.length)
    return text.slice(0, at) + pick(NOISE) + text.slice(at + 1)
  },
  (text, { fraction }) => text.slice(0, Math.floor(fraction() * text.length)),
  (text, { fraction }) => moved(text, fraction, (lines, a) => lines.splice(a, 1)),
  (text, { fraction }) =>
    moved(text, fraction, (lines, a, b) => lines.splice(b, 0, lines[a] ?? '')),
  (text, { fraction }) =>
    moved(text, fraction, (lines, a, b) => {
      const [line = ''] = lines.splice(a, 1)
      lines.splice(b, 0, line)
    }),
  (text) => text.replaceAll(/\r?\n/g, '\r'),
  (text) => text.replaceAll(',', ';'),
  (text) => text.replaceAll('.', ','),
  (text, { fraction }) => text + 'x'.repeat(Math.floor(fraction() * 50_000)),
  (text, { pick }) => text.replaceAll(pick(['0', '1', ',', '"', '/', ':', 'D']), pick(NOISE)),
]

function moved(
  text: string,
  fraction: () => number,
  change: (lines: string[], a: number, b: number) => unknown,
): string {
  const lines = text.split('\n')
  const place = (): number => Math.floor(fraction() * lines.length)
  change(lines, place(), place())
  return lines.join('\n')
}

/** Bytes of the packed file, of which a reader sees nothing but the result. */
function cutBytes(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = Math.floor(random.fraction() * copy.length)
  copy[at] = Math.floor(random.fraction() * 256)
  return random.chance(0.3) ? copy.subarray(0, at) : copy
}

interface Verdict {
  outcome: 'imported' | 'refused'
  fault?: string
}

async function judge(format: string, sample: Sample, number: number): Promise<Verdict> {
  let text = sample.text
  const changes = 1 + Math.floor(random.fraction() * 3)
  for (let made = 0; made < changes; made += 1) text = random.pick(MUTATIONS)(text, random)
  const packed = sample.pack(text)
  const cut = format === 'portal_xlsx' && random.chance(0.3)
  const bytes = cut ? cutBytes(packed) : packed
  const input = { file_name: `${number}`, format, content_base64: bytes.toString('base64') }
  try {
    const first = await importStatement(ctx, request, input)
    const again = await importStatement(ctx, request, input)
    const fault = await faultOf({ first, again, text, sample })
    return { outcome: 'imported', ...(fault !== undefined && { fault }) }
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') {
      return { outcome: 'refused' }
    }
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { outcome: 'refused', fault: `a crash: ${what}` }
  }
}

type Imported = Awaited<ReturnType<typeof importStatement>>

interface Judged {
  first: Imported
  again: Imported
  text: string
  sample: Sample
}

async function faultOf({ first, again, text, sample }: Judged): Promise<string | undefined> {
  if (!again.repeated || again.id !== first.id) return 'the same file was imported twice'
  const { rows } = await db.pool.query<{ content: string; amount: string | null }>(
    `select concat_ws(' ', raw::text, reference, order_id, description) as content, amount::text
     from gapura.statement_line where import_id = $1
     union all
     select content, null from gapura.statement_refusal where import_id = $1`,
    [first.id],
  )
  if (rows.length !== first.lines_new + first.lines_refused) return 'lines do not add up'
  const lines = new Set(text.split(/\r\n|\n|\r/))
  for (const [mark, meant] of sample.amounts) {
    if (!text.includes(mark)) continue
    const kept = rows.filter(({ content }) => content.includes(mark))
    if (kept.length === 0) return `the line of ${mark} is nowhere`
    const whole = sample.text.split(/\r?\n/).find((line) => line.includes(mark))
    // The line is as it was written, and all of it is in one line.
    const intact = first.format !== 'camt053' && whole !== undefined && lines.has(whole)
    const wrong = kept.find(({ amount }) => amount !== null && amount !== decimal(meant))
    if (intact && wrong !== undefined) return `${mark} has another amount than its line`
  }
  return undefined
}

const decimal = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const counts = { imported: 0, refused: 0 }
const faults: string[] = []
const began = performance.now()
for (let number = 0; number < given.n; number += 1) {
  if (performance.now() - began > given.seconds_max * 1_000) break
  const format = random.pick(FORMATS)
  const lines = 1 + Math.floor(random.fraction() * LINES_MAX)
  const sample = sampleOf(format, `S${given.seed}N${number}`, { lines, draw: random.fraction })
  const { outcome, fault } = await judge(format, sample, number)
  counts[outcome] += 1
  if (fault !== undefined) faults.push(`file ${number}, ${format}: ${fault}`)
  if (number % 1_000 === 999) progress(`${number + 1} files, ${faults.length} faults`)
}
const { rows: sums } = await db.pool.query<{ read: string; kept: string }>(
  `select sum(lines_read) as read, sum(lines_new + lines_known + lines_refused) as kept
   from gapura.statement_import`,
)
await gateway.close()
await db.close()
await dropOwnDatabase(url)
report('imports', given, {
  figures: [
    { what: 'files imported, each twice', measured: counts.imported },
    { what: 'files refused whole, with the reason', measured: counts.refused },
    { what: 'lines read', measured: sums[0]?.read ?? '0' },
    {
      what: 'lines stored or refused',
      measured: sums[0]?.kept ?? '0',
      goal: 'the same',
      missed: sums[0]?.read !== sums[0]?.kept,
    },
    {
      what: 'files that were read at all',
      measured: `${Math.round((100 * counts.imported) / (counts.imported + counts.refused))} %`,
      goal: '≥ 20 %',
      missed: counts.imported * 5 < counts.imported + counts.refused,
    },
  ],
  faults: faults.slice(0, 50),
})
