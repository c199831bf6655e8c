// Judges Kubernetes objects twice: by the validators made of the published schemas, which know formats
// and required fields, and by the types made of the same schemas, which know every field there is.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const moduleOf = ({ apiVersion, kind }: KubernetesObject): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`

type Model = new (data: object) => { validate: () => void }

async function invalid(object: KubernetesObject): Promise<string[]> {
  const name = `${object.kind} ${object.metadata.name}`
  try {
    const models = (await import(/* @vite-ignore */ moduleOf(object))) as Record<string, Model>
    const Kind = models[object.kind]
    if (Kind === undefined) return [`${name}: no such kind`]
    new Kind(object).validate()
    return []
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** What the compiler says of the objects as literals: it refuses fields that do not exist. */
function unknownFields(objects: readonly KubernetesObject[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-kubernetes-'))
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
    const lines = objects.flatMap((object, index) => [
      `import type { I${object.kind} as Kind${index} } from '${moduleOf(object)}'`,
      `export const object${index}: Kind${index} = ${JSON.stringify(object)}`,
    ])
    writeFileSync(path.join(folder, 'objects.ts'), lines.join('\n'))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const compiler = path.join(ROOT, 'node_modules/.bin/tsc')
    const { stdout } = spawnSync(compiler, [...options, '--types', '', 'objects.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Everything that is wrong with the objects. */
export const kubernetesFaults = async (objects: readonly KubernetesObject[]): Promise<string[]> => [
  ...(await Promise.all(objects.map(invalid))).flat(),
  ...unknownFields(objects),
]
