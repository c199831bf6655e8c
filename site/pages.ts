// The pages of the site, and the address of each file of the repository on it.
import path from 'node:path'

export interface Section {
  title: string
  files: readonly string[]
  /** English if absent. */
  language?: 'id'
}

const PAYMENT_TYPES = [
  'credit_card',
  'bank_transfer',
  'echannel',
  'qris',
  'gopay',
  'shopeepay',
  'ovo',
  'dana',
  'cstore',
  'akulaku',
  'kredivo',
]
const paymentPages = (folder: string): string[] =>
  ['index', ...PAYMENT_TYPES].map((page) => `${folder}/payments/${page}.md`)

/** The reading order. Pages of `docs/` that are not named here are listed under "More". */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    files: ['docs/index.md', 'docs/quick_start.md', 'docs/concepts.md', 'examples/README.md'],
  },
  {
    title: 'Build',
    files: [
      'docs/mounting.md',
      'docs/events.md',
      'docs/event-feed.md',
      'docs/webhooks.md',
      'docs/refunds.md',
      'docs/checkouts.md',
      'docs/money.md',
      'docs/statements.md',
      'docs/invoices.md',
      'docs/subscriptions.md',
      'docs/testing.md',
      'packages/sdk/README.md',
      'packages/simulator/README.md',
      'packages/service/README.md',
    ],
  },
  { title: 'Payment types', files: paymentPages('docs') },
  {
    title: 'Operate',
    files: [
      'docs/go_live.md',
      'docs/deploying.md',
      'docs/operating.md',
      'docs/scale.md',
      'docs/cells.md',
      'docs/logging.md',
      'docs/tasks.md',
      'deploy/README.md',
      'deploy/ha/README.md',
      'docs/configuration.md',
      'docs/dashboard.md',
      'docs/staff-sign-in.md',
      'docs/runbook.md',
      'docs/upgrading.md',
    ],
  },
  {
    title: 'API',
    files: ['docs/api_reference.md', 'docs/api-rules.md', 'docs/errors.md', 'docs/cli.md'],
  },
  {
    title: 'Security',
    files: ['docs/security.md', 'docs/privacy.md', 'docs/asvs.md', 'SECURITY.md'],
  },
  {
    title: 'Evidence',
    files: [
      'docs/comparison.md',
      'docs/checks.md',
      'docs/conformance.md',
      'docs/reliability.md',
      'docs/performance.md',
    ],
  },
  {
    title: 'Contribute',
    files: [
      'CONTRIBUTING.md',
      'docs/reference/architecture.md',
      'docs/reference/gateway-protocol.md',
      'docs/reference/transitions.md',
      'docs/reference/invariants.md',
      'docs/decisions.md',
      'docs/dependencies.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Mulai',
    language: 'id',
    files: ['docs/id/index.md', 'docs/id/quick_start.md', 'docs/id/go_live.md'],
  },
  { title: 'Metode pembayaran', language: 'id', files: paymentPages('docs/id') },
]

const isPage = (file: string): boolean =>
  /^(docs|examples|packages|deploy)\/.*\.md$|^(CONTRIBUTING|CHANGELOG|SECURITY)\.md$/.test(file)

const isDecision = (file: string): boolean => file.startsWith('docs/decisions/')
/** Old addresses that link to the new page; not part of the contents. */
export const isMoved = (file: string): boolean => file === 'docs/moves.md'

/** The existing pages in their sections. */
export function sectionsOf(files: ReadonlySet<string>): Section[] {
  const named = new Set(SECTIONS.flatMap((section) => section.files))
  const unnamed = [...files]
    .filter((file) => /^docs\/.*\.md$/.test(file) && !named.has(file) && !isMoved(file))
    .toSorted()
  const all: Section[] = [
    ...SECTIONS,
    { title: 'Decisions', files: unnamed.filter(isDecision) },
    { title: 'More', files: unnamed.filter((file) => !isDecision(file)) },
  ]
  return all
    .map((section) => ({ ...section, files: section.files.filter((file) => files.has(file)) }))
    .filter((section) => section.files.length > 0)
}

export const pagesOf = (files: ReadonlySet<string>): string[] =>
  [...files].filter(isPage).toSorted()

/** `docs/errors.md` → `errors.html`, `examples/hono/README.md` → `examples/hono.html`. */
export function placeOf(file: string): string {
  const short = file
    .replace(/^docs\//, '')
    .replace(/^SECURITY\.md$/, 'reporting.md')
    .replace(/\/README\.md$/, file === 'examples/README.md' ? '/index.md' : '.md')
  if (isPage(file)) return short.toLowerCase().replace(/\.md$/, '.html')
  if (/^docs\/.*\.(svg|png|json)$/.test(file)) return short
  return `source/${file}.html`
}

/** The Markdown file that VitePress reads and that is published beside the HTML. */
export const mdPlaceOf = (file: string): string => placeOf(file).replace(/\.html$/, '.md')

/** The file that a link names: a file, a folder's README, or the folder itself. */
export function targetOf(
  files: ReadonlySet<string>,
  from: string,
  link: string,
): string | undefined {
  const found = path.posix
    .join(path.posix.dirname(from), decodeURIComponent(link))
    .replace(/\/$/, '')
  if (found === 'README.md' || found === '.') return 'docs/index.md'
  const file = [found, `${found}/README.md`].find((one) => files.has(one))
  if (file !== undefined) return file
  return [...files].some((one) => one.startsWith(`${found}/`)) ? found : undefined
}
