// A gateway client of which one call is paused, so that something else can happen meanwhile.
import type { Context } from '../../src/services/context.ts'

type When = 'before_send' | 'after_answer'

/** The context with the first call of one client method paused until `meanwhile` has ended. */
export function holdUp(
  ctx: Context,
  method: string,
  when: When,
  meanwhile: () => Promise<void>,
): Context {
  let once = true
  const gateway = new Proxy(ctx.gateway, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (typeof value !== 'function') return value
      if (name !== method) return value.bind(target) as unknown
      return async (...given: unknown[]) => {
        const first = once
        once = false
        if (first && when === 'before_send') await meanwhile()
        const answer = (await value.apply(target, given)) as unknown
        if (first && when === 'after_answer') await meanwhile()
        return answer
      }
    },
  })
  return { ...ctx, gateway }
}
