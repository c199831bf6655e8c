import { spawnSync } from 'node:child_process'
import { must } from './podman.ts'
import type { Report } from './report.ts'

const BASE = 'localhost/gapura-node:24'
const IMAGE = 'localhost/gapura:suite'

/** Builds the image on a base made here; the bases are made once. */
export function buildImage(report: Report): string {
  const began = performance.now()
  const exists = (image: string) => spawnSync('podman', ['image', 'exists', image]).status === 0
  if (!exists(BASE) || !exists(`${BASE}-build`)) must('deploy/image/base')
  must(
    'buildah',
    'build',
    // Stages run in a chroot: no engine and no network of their own is needed.
    '--isolation=chroot',
    // The other format has no health check.
    '--format=docker',
    '--layers',
    '--file=deploy/Dockerfile',
    '--ignorefile=deploy/Dockerfile.dockerignore',
    `--build-arg=BASE=${BASE}`,
    `--build-arg=BUILD_BASE=${BASE}-build`,
    `--tag=${IMAGE}`,
    '.',
  )
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  report.check('build', true, `${IMAGE} on ${BASE}, ${seconds} s`)
  return IMAGE
}
