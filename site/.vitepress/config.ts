import path from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { slug } from '../../scripts/tidy/rules.ts'
import { readContent } from '../content.ts'
import { mdPlaceOf } from '../pages.ts'
import { labelCells } from '../tables.ts'

const { sections, titles } = readContent(path.join(import.meta.dirname, '../..'))

/** Long lists are collapsed until one of their pages is open. */
const CLOSED = new Set(['Payment types', 'Decisions', 'Evidence', 'More'])

const sidebar: DefaultTheme.SidebarItem[] = sections.map(({ title, files }) => ({
  text: title,
  collapsed: CLOSED.has(title),
  items: files.map((file) => ({
    text: titles.get(file) ?? file,
    link: `/${mdPlaceOf(file)
      .replace(/\.md$/, '')
      .replace(/(^|\/)index$/, '$1')}`,
  })),
}))

export default defineConfig({
  title: 'Gapura',
  description: 'A payment service for Node in front of the Midtrans gateway.',
  lang: 'en',
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
    sidebar,
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/quick_start' },
      { text: 'API reference', link: '/api_reference' },
      { text: 'Go live', link: '/go_live' },
    ],
    search: {
      provider: 'local',
      options: {
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
