// Prints the packages that are delivered with ours, by licence.
import { closureOf, readLock, WORKSPACES } from './supply/lock.ts'

const lock = readLock(new URL('..', import.meta.url))
const delivered = new Map(
  WORKSPACES.flatMap((workspace) => closureOf(lock, workspace)).map((one) => [one.path, one]),
)
const by_licence = Map.groupBy(delivered.values(), ({ licence }) => licence ?? 'none')
for (const [licence, all] of [...by_licence].toSorted(([one], [other]) =>
  one.localeCompare(other),
)) {
  const names = all.map(({ name, version }) => `${name} ${version}`).toSorted()
  process.stdout.write(`${licence} (${names.length})\n  ${names.join('\n  ')}\n`)
}
