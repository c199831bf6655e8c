import { readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import type { DashboardFiles } from '../http/platform/dashboard.ts'

/** Whether the staff's pages are served where their package is installed, or not at all. */
export const DASHBOARD_ACCESS = ['auto', 'off'] as const
export type DashboardAccess = (typeof DASHBOARD_ACCESS)[number]

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The built files of `@gapura/dashboard`, or none if it is not installed. Looked for and read, never
 * imported: nothing of it runs here, and without it the service is not one dependency larger.
 */
export function dashboardFiles(access: DashboardAccess): DashboardFiles {
  const folder = access === 'off' ? undefined : folderOf('@gapura/dashboard')
  if (folder === undefined) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[path.extname(name)]
      if (type === undefined) return []
      const content = readFileSync(path.join(folder, name))
      return [[name.split(path.sep).join('/'), { content, type }]]
    }),
  )
}

function folderOf(name: string): string | undefined {
  try {
    const manifest = findPackageJSON(name, import.meta.url)
    if (manifest === undefined) return undefined
    const folder = path.join(path.dirname(manifest), 'dist')
    return readdirSync(folder).includes('index.html') ? folder : undefined
  } catch {
    // Not installed, not built, or bundled to where nothing can be looked for.
    return undefined
  }
}
