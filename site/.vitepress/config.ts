import path from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { slug } from '../../scripts/tidy/rules.ts'
import { readContent } from '../content.ts'
import { mdPlaceOf } from '../pages.ts'
import { labelCells } from '../tables.ts'

const { sections, titles } = readContent(path.join(import.meta.dirname, '../..'))

/** Long lists are collapsed until one of their pages is open. */
const CLOSED = new Set(['Payment types', 'Decisions', 'Evidence', 'More'])

const linkOf = (file: string): string =>
  `/${mdPlaceOf(file)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '$1')}`

const itemOf = (file: string): DefaultTheme.SidebarItem => ({
  text: titles.get(file) ?? file,
  link: linkOf(file),
})

const sidebarOf = (language?: 'id'): DefaultTheme.SidebarItem[] =>
  sections
    .filter((section) => section.language === language)
    .map(({ title, files }) => ({
      text: title,
      collapsed: CLOSED.has(title),
      items: files.map(itemOf),
    }))

/** English pages that readers of the Indonesian pages need most. */
const ENGLISH_ONLY = [
  'docs/mounting.md',
  'docs/events.md',
  'docs/event-feed.md',
  'docs/webhooks.md',
  'docs/refunds.md',
  'docs/api_reference.md',
  'docs/errors.md',
  'docs/configuration.md',
  'docs/runbook.md',
]

/** Files of the site, opened by the browser and not by the router of VitePress. */
const DOWNLOADS: DefaultTheme.NavItemWithLink[] = [
  { text: 'openapi.json', link: '/openapi.json', target: '_blank' },
  { text: 'Postman collection', link: '/postman_collection.json', target: '_blank' },
]

const INDONESIAN: DefaultTheme.Config = {
  sidebar: [
    ...sidebarOf('id'),
    { text: 'Dalam bahasa Inggris', collapsed: false, items: ENGLISH_ONLY.map(itemOf) },
  ],
  nav: [
    { text: 'Mulai cepat', link: '/id/quick_start' },
    { text: 'Metode pembayaran', link: '/id/payments/' },
    { text: 'Go-live', link: '/id/go_live' },
    {
      text: 'API',
      items: [{ text: 'Referensi API', link: '/api_reference' }, ...DOWNLOADS],
    },
  ],
  outline: { level: [2, 3], label: 'Di halaman ini' },
  docFooter: { prev: 'Sebelumnya', next: 'Berikutnya' },
  darkModeSwitchLabel: 'Tampilan',
  sidebarMenuLabel: 'Menu',
  returnToTopLabel: 'Kembali ke atas',
  langMenuLabel: 'Ganti bahasa',
  skipToContentLabel: 'Langsung ke isi',
}

const INDONESIAN_SEARCH = {
  button: { buttonText: 'Cari', buttonAriaLabel: 'Cari' },
  modal: {
    displayDetails: 'Tampilkan rincian',
    resetButtonTitle: 'Hapus pencarian',
    backButtonTitle: 'Tutup pencarian',
    noResultsText: 'Tidak ada hasil untuk',
    footer: { selectText: 'pilih', navigateText: 'pindah', closeText: 'tutup' },
  },
}

export default defineConfig({
  title: 'Gapura',
  description: 'A payment service for Node in front of the Midtrans gateway.',
  locales: {
    root: { label: 'English', lang: 'en' },
    id: {
      label: 'Bahasa Indonesia',
      lang: 'id',
      description: 'Layanan pembayaran untuk Node di depan gateway Midtrans.',
      themeConfig: INDONESIAN,
    },
  },
  srcDir: '.pages',
  srcExclude: ['public/**'],
  // Our own check (dead_links.ts) reads the finished pages and also checks anchors.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  markdown: {
    anchor: { slugify: slug },
    config: labelCells,
    languageAlias: { cfg: 'ini', env: 'ini' },
  },
  // The search index is one file, loaded when the search box is opened.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logo: '/icon.svg',
    sidebar: sidebarOf(),
    outline: [2, 3],
    // Only these pages have an Indonesian version; from any other page the language menu leads to the
    // first page. Sent to the browser as text, as below.
    i18nRouting: (_, route, language) => {
      const same = /(?:quick_start|go_live)\.html$|payments\/[^/]*$/.exec(route.path)
      return (language === 'root' ? '/' : `/${language}/`) + (same?.[0] ?? '')
    },
    nav: [
      { text: 'Quick start', link: '/quick_start' },
      {
        text: 'API',
        items: [{ text: 'API reference', link: '/api_reference' }, ...DOWNLOADS],
      },
      { text: 'Go live', link: '/go_live' },
    ],
    search: {
      provider: 'local',
      options: {
        // Each language has an index of its own.
        locales: { id: { translations: INDONESIAN_SEARCH } },
        miniSearch: {
          searchOptions: {
            prefix: true,
            fuzzy: 0.1,
            combineWith: 'AND',
            boost: { title: 8, titles: 3, text: 1 },
            // Guides rank before records. The function is sent to the browser as text, so it must
            // not use names of this file.
            boostDocument: (id: string): number => {
              if (/\/(?:decisions|changelog|asvs|privacy|dependencies|source\/)/.test(id))
                return 0.3
              if (/\/(?:reference\/|reliability|performance|conformance|examples\/)/.test(id))
                return 0.5
              return 1
            },
          },
        },
      },
    },
  },
})
