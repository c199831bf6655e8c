import type { Context } from '../../src/services/context.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { cuttingProxy } from '../store/cutting_proxy.ts'

/** A commit can be lost on its way to the server, or its answer on the way back. */
export const MOMENTS = ['before', 'after'] as const

interface Service {
  ctx: Context
}

/** Works with a database whose commits break, after so many that pass and so often. */
export const cuttingOf =
  (service: Service) =>
  async <Result>(
    when: (typeof MOMENTS)[number],
    cuts: { after: number; times: number },
    work: (ctx: Context) => Promise<Result>,
  ): Promise<Result> => {
    const { ctx } = service
    const proxy = await cuttingProxy(when, cuts)
    const db = openDatabase(proxy.url, { schema: ctx.db.schema })
    try {
      return await work({ ...ctx, db })
    } finally {
      await db.close()
      proxy.close()
    }
  }
