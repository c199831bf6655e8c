import type { Break } from './compatibility.ts'

/** Operations with a break that the unreleased part of the changelog does not name as one. */
export function unannounced(found: readonly Break[], changelog: string): string[] {
  const unreleased = changelog.split(/^## /m).find((section) => section.startsWith('Unreleased'))
  const lines = (unreleased ?? '').split('\n').filter((line) => line.startsWith('- Breaking:'))
  const named = (where: string): boolean => lines.some((line) => line.includes(`\`${where}\``))
  return [...new Set(found.map(({ where }) => where))].filter((where) => !named(where))
}
