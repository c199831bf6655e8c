// Like lost_records, for objects that are created and changed in the common way, with invoices as
// the example: the connection to the database breaks after the call to the gateway (ADR 0006).
import { afterEach, describe, expect, test } from 'vitest'
import { createInvoice, voidInvoice } from '../../src/services/invoices/actions.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { cuttingOf, MOMENTS } from './cutting_bench.ts'
import { useInvoices } from './invoice_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useInvoices()
const { service, create, read, voidIt } = bench
const cutting = cuttingOf(service)

afterEach(async () => {
  await bench.heal()
  // What is left open would be the next test's first commit.
  await bench.resolve(3, 90_000)
})

// Of a creation the first commit reads the clock, the second writes it.
const fresh = () => ({ customer_email: `${service.fresh('cut')}@example.com` })

describe('a creation', () => {
  test.each(MOMENTS)('%s it is recorded: answered as usual', async (when) => {
    const given = fresh()
    const input = await bench.inputOf(given)
    const cuts = { after: 2, times: 1 }
    const outcome = await cutting(
      when,
      cuts,
      async (ctx) => await createInvoice(ctx, input, requestOf()),
    )
    const { id, status } = bodyOf(outcome)
    expect(status).toBe('pending')
    expect(await bench.operationsOf(id)).toMatchObject([{ state: 'succeeded', sends: 1 }])
    expect(await bench.eventsOf(id)).toEqual(['invoice_created'])
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })

  test.each(MOMENTS)('%s its further send is on disk: sent, and made once', async (when) => {
    const given = fresh()
    const input = await bench.inputOf(given)
    await bench.fault('create_invoice', 'drop_after')
    const cuts = { after: 2, times: 1 }
    const outcome = await cutting(
      when,
      cuts,
      async (ctx) => await createInvoice(ctx, input, requestOf()),
    )
    const { id } = bodyOf(outcome)
    expect(await bench.operationsOf(id)).toMatchObject([{ state: 'succeeded', sends: 2 }])
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })

  test.each(MOMENTS)('%s its refusal is recorded: refused, with a free key', async (when) => {
    const input = await bench.inputOf(fresh())
    const request = requestOf('owner-1', service.fresh('refused'))
    await bench.fault('create_invoice', 'status', {
      options: { http_status: 429, body: { error_messages: ['slow down'] } },
    })
    await cutting(when, { after: 2, times: 1 }, async (ctx) => {
      await expect(createInvoice(ctx, input, request)).rejects.toMatchObject({
        code: 'gateway_rate_limited',
      })
    })
    expect(bodyOf(await createInvoice(service.ctx, input, request))['status']).toBe('pending')
  })

  test('repeated after another process claimed it: the repeat continues it', async () => {
    const given = fresh()
    const input = await bench.inputOf(given)
    const request = requestOf('owner-1', service.fresh('taken'))
    await bench.fault('create_invoice', 'drop_after', { times: 2 })
    await createInvoice(service.ctx, input, request).catch(() => undefined)
    const cuts = { after: 2, times: 1 }
    const outcome = await cutting(
      'after',
      cuts,
      async (ctx) => await createInvoice(ctx, input, request),
    )
    expect(bodyOf(outcome)['status']).toBe('pending')
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })
})

describe('a change', () => {
  test.each(MOMENTS)('%s it is recorded: answered as usual', async (when) => {
    const { id } = await create()
    const cuts = { after: 1, times: 1 }
    await cutting(when, cuts, async (ctx) => await voidInvoice(ctx, requestOf(), id, undefined))
    expect(await read(id)).toMatchObject({ status: 'voided' })
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_voided'])
  })

  test.each(MOMENTS)('%s the resolver wrote its send: sent in that round', async (when) => {
    const { id } = await create()
    await bench.fault('void_invoice', 'drop_before')
    await voidIt(id).catch(() => undefined)
    await bench.later(70_000)
    await cutting(when, { after: 2, times: 1 }, async (ctx) => await resolveOperations(ctx, 10))
    expect(await read(id)).toMatchObject({ status: 'voided' })
    expect(await bench.operationsOf(id)).toMatchObject([
      { kind: 'create_invoice', state: 'succeeded' },
      { kind: 'void_invoice', state: 'succeeded', sends: 2 },
    ])
  })

  test('before the resolver left it open: looked up again when it was due', async () => {
    const { id } = await create()
    await bench.fault('void_invoice', 'drop_before')
    await voidIt(id).catch(() => undefined)
    await bench.fault('get_invoice', 'drop_before', { times: 5 })
    await bench.later(70_000)
    await cutting('before', { after: 2, times: 1 }, async (ctx) => await resolveOperations(ctx, 10))
    expect(await bench.operationsOf(id)).toMatchObject([
      { state: 'succeeded' },
      { kind: 'void_invoice', state: 'unknown', sends: 1 },
    ])
  })
})
