// Lost answers, broken connections and races around invoices: nothing exists twice, nothing is
// guessed, and an outcome that cannot be known opens an alarm.
import { afterEach, describe, expect, test } from 'vitest'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { useInvoices } from './invoice_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const RACES = Number(process.env['GAPURA_INVOICE_RACES'] ?? 40)

const bench = useInvoices()
const { service, create, read, voidIt } = bench

afterEach(bench.heal)

const rowOf = async (email: string) => {
  const found = await service.database.sql(
    'select id, status from gapura.gateway_invoice where customer_email = $1 order by created_at',
    [email],
  )
  return found.map(({ id, status }) => ({ id: String(id), status }))
}
const fresh = () => ({ customer_email: `${service.fresh('lost')}@example.com` })

describe('a creation whose answer is lost', () => {
  test('once: the replay under the same key returns the invoice that was made', async () => {
    const given = fresh()
    await bench.fault('create_invoice', 'drop_after')
    const invoice = await create(given)
    expect(invoice['status']).toBe('pending')
    expect(await bench.madeFor(given.customer_email)).toBe(1)
    expect(await bench.operationsOf(invoice.id)).toMatchObject([{ state: 'succeeded', sends: 2 }])
  })

  test('before the work was done: the replay makes it, once', async () => {
    const given = fresh()
    await bench.fault('create_invoice', 'drop_before')
    await create(given)
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })

  test('twice: unknown to the caller, with its id, and ended by the resolver with one event', async () => {
    const given = fresh()
    const request = requestOf('owner-1', service.fresh('key'))
    await bench.fault('create_invoice', 'drop_after', { times: 2 })
    const input = await bench.inputOf(given)
    const lost = createInvoice(service.ctx, input, request)
    await expect(lost).rejects.toMatchObject({ code: 'outcome_unknown' })
    const [row] = await rowOf(given.customer_email)
    await expect(lost).rejects.toMatchObject({ subject: { kind: 'invoice', id: row?.id } })
    await bench.resolve()
    const again = bodyOf(await createInvoice(service.ctx, input, request))
    expect(again).toMatchObject({ id: row?.id, status: 'pending' })
    expect(await bench.madeFor(given.customer_email)).toBe(1)
    expect(await bench.eventsOf(again.id)).toEqual(['invoice_created'])
  })

  test('the same key continues it, and makes no second one', async () => {
    const given = fresh()
    const request = requestOf('owner-1', service.fresh('key'))
    await bench.fault('create_invoice', 'drop_after', { times: 2 })
    const input = await bench.inputOf(given)
    await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    const again = bodyOf(await createInvoice(service.ctx, input, request))
    expect(await rowOf(given.customer_email)).toEqual([{ id: again.id, status: 'pending' }])
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })

  test('past the life of its key it is never sent again: unknown, with an alarm', async () => {
    const given = fresh()
    const request = requestOf('owner-1', service.fresh('key'))
    await bench.fault('create_invoice', 'drop_after', { times: 2 })
    const input = await bench.inputOf(given)
    await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await bench.pass(6)
    await bench.resolve(3)
    const [row] = await rowOf(given.customer_email)
    expect(row?.status).toBe('initiated')
    expect(await bench.alarmsOf(row?.id ?? '')).toEqual(['outcome_unknown'])
    await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    expect(await bench.madeFor(given.customer_email)).toBe(1)
    expect(await bench.operationsOf(row?.id ?? '')).toMatchObject([{ state: 'unknown', sends: 2 }])
  })

  test('a rejection of the second send says nothing about the first: it stays open and is found', async () => {
    const given = fresh()
    const request = requestOf('owner-1', service.fresh('key'))
    await bench.fault('create_invoice', 'drop_after')
    await bench.fault('create_invoice', 'status', {
      options: { http_status: 400, body: { error_messages: ['due date has passed'] } },
    })
    const input = await bench.inputOf(given)
    await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    expect((await rowOf(given.customer_email)).map(({ status }) => status)).toEqual(['initiated'])
    await bench.resolve()
    const again = bodyOf(await createInvoice(service.ctx, input, request))
    expect(again['status']).toBe('pending')
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })

  test.each(['html', 'truncated_json', 'wrong_types'])('%s is no answer', async (garbage) => {
    const given = fresh()
    await bench.fault('create_invoice', garbage, { options: { after: true } })
    const { id, status } = await create(given)
    expect(status).toBe('pending')
    expect(await bench.operationsOf(id)).toMatchObject([{ state: 'succeeded', sends: 2 }])
    expect(await bench.madeFor(given.customer_email)).toBe(1)
  })
})

test('a gateway that limits us leaves a failure and a free key', async () => {
  const given = fresh()
  const request = requestOf('owner-1', service.fresh('key'))
  await bench.fault('create_invoice', 'status', {
    options: { http_status: 429, body: { error_messages: ['slow down'] } },
  })
  const input = await bench.inputOf(given)
  await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject({
    code: 'gateway_rate_limited',
  })
  await createInvoice(service.ctx, input, request)
  expect((await rowOf(given.customer_email)).map(({ status }) => status)).toEqual([
    'failure',
    'pending',
  ])
  expect(await bench.madeFor(given.customer_email)).toBe(1)
})

describe('a void whose answer is lost', () => {
  test('after the work: the look shows it, and one event is published', async () => {
    const { id } = await create()
    await bench.fault('void_invoice', 'drop_after')
    await voidIt(id, 'wrong name')
    expect(await read(id)).toMatchObject({ status: 'voided', void_reason: 'wrong name' })
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_voided'])
  })

  test('before the work: unknown, blocks only another void, then is sent again', async () => {
    const { id, gateway_invoice_id } = await create()
    await bench.fault('void_invoice', 'drop_before')
    await expect(voidIt(id, 'wrong name')).rejects.toMatchObject({
      code: 'outcome_unknown',
      subject: { kind: 'invoice', id },
    })
    expect(await voidIt(id)).toEqual({ kind: 'problem', code: 'operation_in_progress' })
    await bench.resolve(1, 61_000)
    await bench.resolve(1, 61_000)
    expect(await read(id)).toMatchObject({ status: 'voided', void_reason: 'wrong name' })
    expect(await bench.truth(gateway_invoice_id)).toBe('voided')
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_voided'])
  })

  test('and paid meanwhile: the void is refused and the invoice is paid', async () => {
    const { id, gateway_invoice_id } = await create()
    await bench.fault('void_invoice', 'drop_before')
    await expect(voidIt(id)).rejects.toMatchObject({ code: 'outcome_unknown' })
    await service.control(`invoices/${String(gateway_invoice_id)}/pay`)
    await bench.resolve(1, 61_000)
    expect((await read(id)).status).toBe('paid')
    expect(await bench.operationsOf(id)).toMatchObject([{}, { state: 'refused' }])
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_paid'])
  })
})

test('voided and paid at once: exactly one wins, and both sides agree', async () => {
  const won = { voided: 0, paid: 0 }
  for (let race = 0; race < RACES; race++) {
    const { id, gateway_invoice_id } = await create()
    const pay = async () => await service.control(`invoices/${String(gateway_invoice_id)}/pay`)
    const annul = async () =>
      await voidIt(id, 'race').then(
        () => true,
        () => false,
      )
    // The order alternates from race to race, or the faster one would always win.
    const [payment, voided] = await (race % 2 === 0
      ? Promise.all([pay(), annul()])
      : Promise.all([annul(), pay()]).then(([b, a]) => [a, b] as const))
    await bench.sweep()
    const { status } = await read(id)
    expect(status).toBe(await bench.truth(gateway_invoice_id))
    expect(status).toBe(voided ? 'voided' : 'paid')
    expect('order_id' in payment).toBe(!voided)
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', `invoice_${status}`])
    won[voided ? 'voided' : 'paid'] += 1
  }
  expect(won.voided + won.paid).toBe(RACES)
}, 240_000)
