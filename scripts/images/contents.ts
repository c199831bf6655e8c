// What is in the image: its size, its packages, and whether its bill of materials names them all.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { must } from './podman.ts'

export interface Contents {
  uncompressed_mb: number
  /** As a registry would keep it: layers with gzip. */
  compressed_mb: number
  debian: string[]
  npm: string[]
  /** In the image and not in its bill of materials, or the other way round. */
  unlisted: string[]
  /** Files that the process could write to, were the root not read-only. */
  writable: string[]
}

interface Manifest {
  name?: string
  version?: string
}

/** Every package below this folder; links lead to our own packages. */
function packagesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(folder, entry.name)
    if (!entry.isDirectory()) return []
    if (entry.name.startsWith('@')) return packagesBelow(inner)
    const file = path.join(inner, 'package.json')
    const { name, version } = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest)
      : {}
    const own = name === undefined || version === undefined ? [] : [`${name} ${version}`]
    return [...own, ...packagesBelow(path.join(inner, 'node_modules'))]
  })
}

const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? ''

function debianPackages(root: string): string[] {
  const folder = path.join(root, 'var/lib/dpkg/status.d')
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return `${fieldOf(text, 'Package')} ${fieldOf(text, 'Version')}`
  })
}

function writableBy(root: string, uid: number): string[] {
  const find = ['-xdev', '!', '-type', 'l', '(', '-uid', String(uid), '-o', '-perm', '-o+w', ')']
  const found = must('find', root, ...find)
    .split('\n')
    .filter(Boolean)
  return found.map((file) => file.slice(root.length)).filter((file) => file !== '/tmp')
}

function sizesOf(image: string): Pick<Contents, 'uncompressed_mb' | 'compressed_mb'> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-image-'))
  try {
    must('buildah', 'push', '-q', image, `oci-archive:${folder}/image.tar`)
    return {
      uncompressed_mb:
        Number(must('podman', 'image', 'inspect', '--format={{.Size}}', image)) / 1e6,
      compressed_mb: statSync(path.join(folder, 'image.tar')).size / 1e6,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function contentsOf(image: string): Contents {
  const container = must('buildah', 'from', image)
  try {
    const root = must('buildah', 'mount', container)
    const app = path.join(root, 'app')
    const own = readdirSync(path.join(app, 'packages')).map((name) => {
      const file = path.join(app, 'packages', name, 'package.json')
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
      return `${manifest.name} ${manifest.version}`
    })
    const npm = [...new Set([...packagesBelow(path.join(app, 'node_modules')), ...own])].toSorted()
    const { components } = JSON.parse(readFileSync(path.join(app, 'sbom.json'), 'utf8')) as {
      components: Required<Manifest>[]
    }
    // The image's own list of dependencies is no package in it.
    const listed = new Set(
      components
        .map(({ name, version }) => `${name} ${version}`)
        .filter((one) => !one.startsWith('gapura-image ')),
    )
    return {
      ...sizesOf(image),
      debian: debianPackages(root).toSorted(),
      npm,
      unlisted: [
        ...npm.filter((one) => !listed.has(one)),
        ...[...listed].filter((one) => !npm.includes(one)).map((one) => `${one} (listed only)`),
      ],
      writable: writableBy(root, 1000),
    }
  } finally {
    must('buildah', 'rm', container)
  }
}
