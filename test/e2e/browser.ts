// The system's own Chromium, driven over its protocol; nothing is downloaded.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import axe from 'axe-core'
import { chromium, type BrowserContext, type Page } from 'playwright-core'

const PLACES = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser']

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
]

export function chromiumPath(): string {
  const found = PLACES.find((place) => place !== undefined && existsSync(place))
  if (found === undefined) {
    throw new Error('no Chromium: apt-get install -y chromium, or set CHROMIUM_PATH')
  }
  return found
}

export interface Browser {
  context: BrowserContext
  close: () => Promise<void>
}

export async function openBrowser(options: { locale?: string } = {}): Promise<Browser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-e2e-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: FLAGS,
    viewport: { width: 1_280, height: 900 },
    locale: options.locale ?? 'en-GB',
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  return {
    context,
    close: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary: string }[] }[]
}

/** What axe finds wrong with a page by WCAG 2.2 AA, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    async () =>
      (await (
        globalThis as unknown as { axe: { run: (options: object) => Promise<unknown> } }
      ).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      })) as AxeResult,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  )
}
