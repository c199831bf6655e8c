// A staff member resolves an open operation of an invoice. It is recorded as made only if the
// gateway shows it, with our order and amount.
import { afterEach, expect, test } from 'vitest'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { readObjectHistory } from '../../src/services/staff/history.ts'
import { dewi, handsOf, reason, refusedFor, UNKNOWN } from './hand_bench.ts'
import { useInvoices } from './invoice_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const UNREACHABLE = { code: 'gateway_failed' }
const bench = useInvoices()
const { service } = bench
const { end, openOf, alarmsOf } = handsOf(service)
afterEach(bench.heal)

/** Both answers lost; `drop_after`: it was made. */
async function lost(effect: 'drop_after' | 'drop_before') {
  const customer_email = `${service.fresh('hand')}@example.com`
  const request = requestOf('owner-1', service.fresh('key'))
  const input = await bench.inputOf({ customer_email })
  await bench.fault('create_invoice', effect, { times: 2 })
  await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject(UNKNOWN)
  const [row] = await service.database.sql(
    'select id, order_id from gapura.gateway_invoice where customer_email = $1',
    [customer_email],
  )
  const id = String(row?.['id'])
  return {
    id,
    operation_id: await openOf(id),
    gateway_id: await idAtGateway(String(row?.['order_id'])),
    repeat: async () => bodyOf(await createInvoice(service.ctx, input, request)),
  }
}
async function idAtGateway(order_id: string): Promise<string> {
  const reply = await fetch(`${service.simulator.url}/_sim/invoices`)
  const { invoices } = (await reply.json()) as { invoices: { id: string; order_id: string }[] }
  return invoices.find((one) => one.order_id === order_id)?.id ?? ''
}
/** Past every repeat, with the alarm that the resolver opens then. */
const givenUp = async () => {
  await bench.pass(6)
  await bench.resolve(2)
  await bench.later(61_000)
}

test('an invoice found on the dashboard is recorded as made with staff id, and its alarm closes', async () => {
  const { id, operation_id, gateway_id, repeat } = await lost('drop_after')
  await givenUp()
  expect(await bench.alarmsOf(id)).toEqual(['outcome_unknown'])
  const resolved = await end(operation_id, 'done', { gateway_id })
  expect(resolved).toMatchObject({
    operation: { state: 'succeeded', reply: { resolved_by: 'dewi', reason } },
    invoice: { id, status: 'pending', gateway_invoice_id: gateway_id },
  })
  expect(await alarmsOf(id)).toEqual([{ kind: 'outcome_unknown', closed_by: 'dewi', note: reason }])
  const history = await readObjectHistory(service.ctx, dewi, { kind: 'invoice', id })
  expect(history?.transitions.at(-1)).toMatchObject({
    to_status: 'pending',
    source: 'staff',
    evidence_id: operation_id,
    reason: `by dewi: ${reason}`,
  })
  expect(await bench.eventsOf(id)).toEqual(['invoice_created'])
  // The caller that asked for it gets it, and no second one is made.
  expect(await repeat()).toMatchObject({ id, status: 'pending' })
})

test('an invoice needs the gateway’s id, and one with the right order and amount', async () => {
  const { id, operation_id, gateway_id } = await lost('drop_after')
  const other = await bench.create()
  await givenUp()
  await expect(end(operation_id, 'done')).rejects.toMatchObject(
    refusedFor('gateway_id', 'must be the id that the gateway gave it'),
  )
  await expect(end(operation_id, 'done', { gateway_id: 'no-such' })).rejects.toMatchObject(
    refusedFor('gateway_id', 'the gateway has nothing under this id'),
  )
  const stranger = { gateway_id: other['gateway_invoice_id'] }
  await expect(end(operation_id, 'done', stranger)).rejects.toMatchObject(
    refusedFor('gateway_id', expect.stringContaining('there it is the invoice of order')),
  )
  await service.database.sql(
    'update gapura.gateway_invoice set total_amount = total_amount + 1 where id = $1',
    [id],
  )
  await expect(end(operation_id, 'done', { gateway_id })).rejects.toMatchObject(
    refusedFor('gateway_id', 'there it asks for 155000.00, not for 155001.00'),
  )
  await service.database.sql(
    'update gapura.gateway_invoice set total_amount = total_amount - 1 where id = $1',
    [id],
  )
  expect(await bench.read(id)).toMatchObject({ status: 'initiated' })
  await end(operation_id, 'done', { gateway_id })
})

test('an invoice marked as not made fails, once no repeat can be in flight', async () => {
  const { id, operation_id, repeat } = await lost('drop_before')
  await bench.later(61_000)
  await expect(end(operation_id, 'refused')).rejects.toMatchObject(
    refusedFor('outcome', expect.stringMatching(/^it may still be sent again; wait another \d+ s/)),
  )
  await givenUp()
  const resolved = await end(operation_id, 'refused')
  expect(resolved).toMatchObject({
    operation: { state: 'refused', reply: { resolved_by: 'dewi', reason } },
    invoice: { status: 'failure' },
  })
  expect(await alarmsOf(id)).toEqual([{ kind: 'outcome_unknown', closed_by: 'dewi', note: reason }])
  const history = await readObjectHistory(service.ctx, dewi, { kind: 'invoice', id })
  expect(history?.transitions.at(-1)).toMatchObject({ reason: `by dewi: ${reason}` })
  expect(await repeat()).toMatchObject({ code: 'gateway_refused', status: 400 })
  await expect(end(operation_id, 'done')).rejects.toMatchObject(
    refusedFor('id', 'it has ended: refused'),
  )
})

test('an invoice marked as not made although it exists under that id is recorded as made', async () => {
  const { operation_id, gateway_id } = await lost('drop_after')
  await givenUp()
  const resolved = await end(operation_id, 'refused', { gateway_id })
  expect(resolved).toMatchObject({
    operation: { state: 'succeeded' },
    invoice: { status: 'pending' },
  })
})

test('an invoice stays unchanged while the gateway is unreachable', async () => {
  const { id, operation_id, gateway_id } = await lost('drop_after')
  await givenUp()
  await bench.fault('get_invoice', 'drop_before', { times: 9 })
  await expect(end(operation_id, 'done', { gateway_id })).rejects.toMatchObject({
    definite: false,
  })
  expect(await bench.read(id)).toMatchObject({ status: 'initiated' })
  await bench.heal()
  await end(operation_id, 'done', { gateway_id })
})

test('a void without an answer: done if the gateway shows it, otherwise staff may give it up', async () => {
  const voided = async (effect: string) => {
    const { id } = await bench.create()
    await bench.fault('void_invoice', effect)
    await bench.fault('get_invoice', 'drop_before', { times: 9 })
    await expect(bench.voidIt(id, 'typo')).rejects.toMatchObject(UNKNOWN)
    await bench.heal()
    await bench.later(61_000)
    return { id, operation_id: await openOf(id) }
  }
  const done = await voided('drop_after')
  expect(await end(done.operation_id, 'refused')).toMatchObject({
    operation: { state: 'succeeded', reply: { resolved_by: 'dewi' } },
    invoice: { status: 'voided', void_reason: 'typo' },
  })
  const not = await voided('drop_before')
  await expect(end(not.operation_id, 'done')).rejects.toMatchObject(
    refusedFor('outcome', 'the gateway does not show it as done; use look to have it sent again'),
  )
  expect(await end(not.operation_id, 'refused')).toMatchObject({
    operation: { state: 'refused', reply: { resolved_by: 'dewi' } },
    invoice: { status: 'pending' },
  })
})

test('an invoice is looked up at once on request', async () => {
  const { id, operation_id } = await lost('drop_after')
  await bench.later(20_000)
  expect(await end(operation_id, 'look')).toMatchObject({
    operation: { state: 'succeeded' },
    invoice: { id, status: 'pending' },
  })
})

test('an invoice is not marked as not made while the gateway cannot be queried', async () => {
  const { id, operation_id, gateway_id } = await lost('drop_after')
  await givenUp()
  await bench.fault('get_status', 'drop_before', { times: 9 })
  await expect(end(operation_id, 'refused')).rejects.toMatchObject(UNREACHABLE)
  await bench.heal()
  await bench.fault('get_invoice', 'drop_before', { times: 9 })
  await expect(end(operation_id, 'refused', { gateway_id })).rejects.toMatchObject(UNREACHABLE)
  await bench.heal()
  expect(await bench.read(id)).toMatchObject({ status: 'initiated' })
  await end(operation_id, 'done', { gateway_id })
})

test('an invoice leaves an audit entry if staff made it, and none if its owner did', async () => {
  const auditOf = async (id: unknown) =>
    await service.database.sql(
      'select actor, action from gapura.audit_unsealed where subject_id = $1',
      [id],
    )
  const { id } = await bench.create()
  expect(await auditOf(id)).toEqual([])
  const made = await bench.create({}, { ...requestOf(), caller: dewi })
  expect(await auditOf(made['id'])).toEqual([{ actor: 'dewi', action: 'invoice.create_invoice' }])
})
