import { RequestProblem, type Caller, type GapuraApi, type PaymentRepresentation } from 'gapura'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds a payment by its id or its order id. */
export async function findPayment(
  api: GapuraApi,
  caller: Caller,
  name: string,
): Promise<PaymentRepresentation> {
  if (UUID.test(name)) return await api.getPayment(caller, name)
  const { results } = await api.listPayments(caller, { order_id: name, page_size: 1 })
  const [found] = results
  if (found === undefined) {
    throw new RequestProblem(
      'not_found',
      `No payment has the order id ${name}; adopt it if the gateway has it.`,
    )
  }
  return await api.getPayment(caller, found.id)
}
