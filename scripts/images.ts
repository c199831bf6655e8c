// Builds the container image without a registry and runs every role of it: `npm run suite images`, as
// root on Debian with PostgreSQL. `-- --image <name>` takes an image that exists already.
import { parseArgs } from 'node:util'
import { contentsOf } from './images/contents.ts'
import { buildImage } from './images/build.ts'
import { missing } from './images/podman.ts'
import { Report } from './images/report.ts'
import { openScene } from './images/scene.ts'
import { checkConfinement, checkMigration, checkStarts } from './images/starting.ts'
import { checkKill, checkRecords, checkStops, checkUse } from './images/using.ts'

const SIZE_MAX_MB = 200
const PROGRAMS = ['buildah', 'podman', 'runc', 'debootstrap', 'strip', 'psql']

const { values } = parseArgs({ options: { image: { type: 'string' } } })
const report = new Report()

function checkContents(image: string): void {
  const contents = contentsOf(image)
  const { uncompressed_mb, compressed_mb, debian, npm, unlisted, writable } = contents
  report.check(
    'size',
    uncompressed_mb <= SIZE_MAX_MB,
    `${uncompressed_mb.toFixed(1)} MB, ${compressed_mb.toFixed(1)} MB compressed (limit ${SIZE_MAX_MB} MB)`,
  )
  report.check('Debian packages', debian.length > 0, debian.join(', '))
  report.check('npm packages', npm.length > 50, `${npm.length}, all in sbom.json (CycloneDX 1.6)`)
  report.check('bill of materials', unlisted.length === 0, unlisted.join(', ') || 'complete')
  report.check('files of the process', writable.length === 0, writable.join(', ') || 'none')
}

const absent = missing(...PROGRAMS)
if (process.getuid?.() !== 0 || absent.length > 0) {
  console.error(`needs root and: apt-get install ${absent.join(' ') || PROGRAMS.join(' ')}`)
  process.exitCode = 1
} else {
  const image = values.image ?? buildImage(report)
  checkContents(image)
  const scene = await openScene(image)
  try {
    await checkMigration(scene, report)
    await checkStarts(scene, report)
    checkConfinement(scene, report)
    await checkUse(scene, report)
    await checkStops(scene, report)
    await checkKill(scene, report)
    await checkRecords(scene, report)
  } catch (error) {
    report.check('the suite', false, error instanceof Error ? error.message : String(error))
    console.error(scene.logs())
  } finally {
    await scene.close()
  }
  process.exitCode = report.close()
}
