// Checks that an importing project finds the types of the packages.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Module resolutions that a project may use, each with its module kind. */
const RESOLUTIONS = { node16: 'node16', bundler: 'esnext' } as const

// If types were missing and everything `any`, the expected errors would not occur.
const SOURCE = `import { createGapura, readConfig, type Gapura, type SignalEnvelope } from 'gapura'
import { createClient, type Payment } from '@gapura/sdk'
import { createSimulator, type Simulator } from '@gapura/simulator'

const gapura: Gapura = createGapura({ ...readConfig().gapura, prefix: '/pay' })
gapura.subscribe({
  name: 'fulfilment',
  signals: ['payment_settled'],
  handler: ({ object }) => console.log(object.order_id satisfies string),
})
export const typeOf = ({ type }: SignalEnvelope): string => type

const client = createClient({ baseUrl: 'http://127.0.0.1:3000' })
export const first = async (id: string): Promise<Payment> => await client.payments.get(id)
export const simulator: Promise<Simulator> = createSimulator({ port: 0 })

// @ts-expect-error there is no such signal
gapura.subscribe({ name: 'wrong', signals: ['payment_lost'], handler: () => undefined })
// @ts-expect-error an id is a string
await client.payments.get(7)
// @ts-expect-error a port is a number
await createSimulator({ port: 'any' })
`

/** By its path: it may not be on the PATH. */
const COMPILER = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

/** What the compiler says, with every type of every dependency checked. */
export function typeFaults(folder: string): string[] {
  const project = path.join(folder, 'consumer')
  mkdirSync(project, { recursive: true })
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(project, 'shop.ts'), SOURCE)
  return Object.entries(RESOLUTIONS).flatMap(([moduleResolution, module]) => {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: ['node'],
      skipLibCheck: false,
    }
    const file = path.join(project, `tsconfig.${moduleResolution}.json`)
    writeFileSync(file, JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
    const { status, stdout } = spawnSync(COMPILER, ['-p', file], { encoding: 'utf8' })
    return status === 0 ? [] : [`types under ${moduleResolution}: ${stdout.trim()}`]
  })
}
