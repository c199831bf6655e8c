// What the site holds, and where each file of the repository is found on it.
import path from 'node:path'

export interface Section {
  title: string
  files: readonly string[]
}

const PAYMENT_PAGES = [
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
].map((type) => `docs/payments/${type}.md`)

/** The order of reading. A page of `docs/` that is not named here is found under "More". */
export const SECTIONS: readonly Section[] = [
  { title: 'Start', files: ['docs/index.md', 'docs/quick_start.md', 'examples/README.md'] },
  { title: 'Understand', files: ['docs/concepts.md', 'docs/moves.md', 'docs/events.md'] },
  {
    title: 'Build',
    files: [
      'docs/mounting.md',
      'packages/service/README.md',
      'packages/sdk/README.md',
      'docs/cli.md',
      'packages/simulator/README.md',
    ],
  },
  { title: 'Ways to pay', files: ['docs/payments/index.md', ...PAYMENT_PAGES] },
  { title: 'Billing', files: ['docs/invoices.md', 'docs/subscriptions.md'] },
  {
    title: 'Operate',
    files: [
      'docs/dashboard.md',
      'docs/configuration.md',
      'docs/operating.md',
      'docs/runbook.md',
      'docs/upgrading.md',
    ],
  },
  {
    title: 'Look up',
    files: ['docs/errors.md', 'docs/conformance.md', 'docs/reliability.md', 'docs/decisions.md'],
  },
  {
    title: 'About',
    files: [
      'docs/security.md',
      'docs/privacy.md',
      'docs/asvs.md',
      'docs/comparison.md',
      'docs/performance.md',
      'docs/dependencies.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
    ],
  },
]

const isPage = (file: string): boolean =>
  /^(docs|examples|packages)\/.*\.md$|^(CONTRIBUTING|CHANGELOG)\.md$/.test(file)

/** The pages there are, in their sections: only files that exist, and every one that does. */
export function sectionsOf(files: ReadonlySet<string>): Section[] {
  const named = new Set(SECTIONS.flatMap((section) => section.files))
  const unnamed = [...files].filter((file) => /^docs\/.*\.md$/.test(file) && !named.has(file))
  const all = [...SECTIONS, { title: 'More', files: unnamed.toSorted() }]
  return all
    .map(({ title, files: wanted }) => ({ title, files: wanted.filter((file) => files.has(file)) }))
    .filter((section) => section.files.length > 0)
}

export const pagesOf = (files: ReadonlySet<string>): string[] =>
  [...files].filter(isPage).toSorted()

/** `docs/errors.md` → `errors.html`, `examples/hono/README.md` → `examples/hono.html`. */
export function placeOf(file: string): string {
  const short = file
    .replace(/^docs\//, '')
    .replace(/^packages\//, '')
    .replace(/\/README\.md$/, file === 'examples/README.md' ? '/index.md' : '.md')
  if (isPage(file)) return short.toLowerCase().replace(/\.md$/, '.html')
  if (/^docs\/.*\.(svg|png|json)$/.test(file)) return short
  return `source/${file}.html`
}

/** The file a link of this page means, with a folder's README for the folder. */
export function targetOf(
  files: ReadonlySet<string>,
  from: string,
  link: string,
): string | undefined {
  const found = path.posix
    .join(path.posix.dirname(from), decodeURIComponent(link))
    .replace(/\/$/, '')
  if (found === 'README.md' || found === '.') return 'docs/index.md'
  return [found, `${found}/README.md`].find((file) => files.has(file))
}
