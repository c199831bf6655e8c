// Runs the quick form of every campaign; docs/reliability.md describes the long forms.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** CI sets the ones it has time for. */
const CAMPAIGNS = (
  process.env['GAPURA_CAMPAIGNS'] ??
  'lost_webhooks,unknown,time,deploy,postgres,kill,failover,forged,hostile,rotate,feed,bus,webhooks,checkouts,alerts,imports,reconcile,seeds,cells,cell_move'
).split(',')

async function run(name: string): Promise<{ code: number | null; said: string }> {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@gapura/source', script, '--quick'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, said }
}

// One after the other: each needs the whole machine.
test.each(CAMPAIGNS)(
  'campaign %s breaks no promise',
  async (name) => {
    const { code, said } = await run(name)
    expect(said).toMatch(/(?:^|\s)0 promises broken/)
    expect({ code, said }).toMatchObject({ code: 0 })
  },
  400_000,
)
