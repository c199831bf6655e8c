// The bill of materials in CycloneDX 1.6, from the lock file alone. The same lock file gives the same
// bytes: it contains no time, and its serial number is a hash of its content.
import { createHash } from 'node:crypto'
import { closureOf, WORKSPACES, type Installed, type Lock } from './lock.ts'

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

function hashesOf(integrity: string | null) {
  const [algorithm = '', digest = ''] = integrity?.split('-', 2) ?? []
  if (digest === '') return {}
  const alg = algorithm.replace('sha', 'SHA-')
  return { hashes: [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] }
}

/** One licence, or an expression of several. */
const licencesOf = (licence: string | null) =>
  licence === null
    ? {}
    : {
        licenses: [
          / (?:OR|AND) /.test(licence) ? { expression: licence } : { license: { id: licence } },
        ],
      }

const componentOf = ({ path, name, version, licence, integrity }: Installed) => ({
  type: 'library',
  'bom-ref': path,
  name,
  version,
  purl: purlOf(name, version),
  ...hashesOf(integrity),
  ...licencesOf(licence),
})

/** The dependencies of these packages of ours, without development dependencies. */
export function sbomOf(lock: Lock, workspaces: readonly string[] = WORKSPACES) {
  const installed = new Map(
    workspaces.flatMap((workspace) => closureOf(lock, workspace)).map((one) => [one.path, one]),
  )
  const components = [...installed.values()]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(componentOf)
  const own = workspaces.map((workspace) => {
    const { name = '', version = '' } = lock.packages[workspace] ?? {}
    return { type: 'library', 'bom-ref': workspace, name, version, purl: purlOf(name, version) }
  })
  const content = JSON.stringify([own, components])
  const digest = createHash('sha256').update(content).digest('hex')
  const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'gapura', name: 'gapura-workspace' } },
    components: [...own, ...components],
  }
}
