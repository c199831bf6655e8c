import type { Gapura } from 'gapura'
import { LOOKING } from '../session.ts'

/** More than fit in a page are not counted: the number is for a person. */
const page_size = 100

/** Objects that wait for the gateway: a simulator that has just started knows none of them. */
export async function countOpen({ api }: Gapura): Promise<number> {
  const pages = [
    await api.listPayments(LOOKING, { status: 'pending', page_size }),
    await api.listPayments(LOOKING, { status: 'authorize', page_size }),
    await api.listInvoices(LOOKING, { status: 'pending', page_size }),
    await api.listSubscriptions(LOOKING, { status: 'active', page_size }),
  ]
  return pages.reduce((sum, { results }) => sum + results.length, 0)
}

/** Whether a page is served here. */
export async function answers(url: string): Promise<boolean> {
  const reply = await fetch(url)
  await reply.arrayBuffer()
  return reply.ok
}
