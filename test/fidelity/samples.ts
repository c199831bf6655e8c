// The gateway's own published payloads, read from beside the checkout and never committed.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/fixtures/gateway')

interface IndexEntry {
  file: string
  kind: 'request' | 'reply' | 'notification'
  operation: string
  payment_type?: string
  http_status?: number
  server_key?: string
  signature_verifies?: boolean
}

export interface Sample extends IndexEntry {
  /** The body as it would travel: JSON text, or plain text where the index says so. */
  text: string
  body: unknown
}

/** Samples of things the service does not speak, by name; each with the reason it is left out. */
const OUT_OF_SCOPE: readonly { file: RegExp; reason: string }[] = [
  { file: /^notifications\/bisnap_/, reason: "BI-SNAP, the gateway's other protocol family" },
  { file: /(?:^|[/_])bca_klik(?:pay|bca)__/, reason: 'legacy direct debit type' },
  { file: /(?:^|[/_])bri_epay__/, reason: 'legacy direct debit type' },
  { file: /(?:^|[/_])cimb_clicks__/, reason: 'legacy direct debit type' },
  { file: /(?:^|[/_])danamon_online__/, reason: 'legacy direct debit type' },
  { file: /(?:^|[/_])mandiri_clickpay__/, reason: 'legacy direct debit type' },
  {
    file: /^requests\/charge_permata__type_without_object/,
    reason: 'second spelling of a Permata VA',
  },
  { file: /quotation/, reason: 'quotations are no invoices' },
]

export const samplesArePresent = existsSync(path.join(FOLDER, 'index.json'))

export function outOfScope({ file }: Pick<IndexEntry, 'file'>): string | undefined {
  return OUT_OF_SCOPE.find((left) => left.file.test(file))?.reason
}

/** Every sample of the index; none where the folder is absent. */
export function loadSamples(): Sample[] {
  if (!samplesArePresent) return []
  const index = JSON.parse(readFileSync(path.join(FOLDER, 'index.json'), 'utf8')) as IndexEntry[]
  return index.map((entry) => {
    const file = readFileSync(path.join(FOLDER, entry.file), 'utf8')
    const body = JSON.parse(file) as unknown
    return { ...entry, body, text: typeof body === 'string' ? body : file }
  })
}

export const samplesInScope = (kind: IndexEntry['kind']): Sample[] =>
  loadSamples().filter((sample) => sample.kind === kind && outOfScope(sample) === undefined)

/** Rows for `test.each` with the whole file name as title: the count of samples reads it there. */
export const named = (samples: readonly Sample[]): [string, Sample][] =>
  samples.map((sample) => [sample.file, sample])
