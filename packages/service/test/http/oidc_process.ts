// Starts the provider of `oidc_provider.ts` and ends it after the tests of a file.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export function useProvider(): (redirect_uri: string) => Promise<string> {
  const children: ChildProcess[] = []
  afterAll(async () => {
    for (const child of children) {
      child.kill()
      await once(child, 'exit')
    }
  })
  return async (redirect_uri) => {
    const script = fileURLToPath(new URL('oidc_provider.ts', import.meta.url))
    const child = spawn(process.execPath, [script, redirect_uri], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('http://')) return line
    }
    throw new Error('the provider did not start')
  }
}
