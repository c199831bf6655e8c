import type { Context } from '../../packages/service/src/services/context.ts'
export async function runQuarter(_ctx: Context, _given: unknown, _into: unknown): Promise<void> {}
