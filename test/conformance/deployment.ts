import assert from 'node:assert/strict'

/** A running service to be judged, and who may speak to it. */
export interface Deployment {
  /** With the prefix, without a slash at the end. */
  base_url: string
  /** Headers of three callers: an owner, another owner, and staff. */
  owner: Record<string, string>
  other: Record<string, string>
  staff: Record<string, string>
  /** Where the payer's hands are; without it only what needs no payer is checked. */
  simulator_url: string | null
}

export interface Reply {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

/** One request as a caller of the service would make it. */
export async function ask(
  { base_url, owner }: Deployment,
  line: string,
  { body, as = owner }: { body?: unknown; as?: Record<string, string> } = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const reply = await fetch(base_url + path, {
    method,
    redirect: 'manual',
    headers: { ...as, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const json: unknown = text === '' ? {} : JSON.parse(text)
  return { status: reply.status, body: json as Record<string, unknown>, headers: reply.headers }
}

/** The payer, the bank and the clock. */
export async function simulate(deployment: Deployment, path: string, body: object = {}) {
  assert(deployment.simulator_url !== null, 'needs the simulator')
  const reply = await fetch(`${deployment.simulator_url}/_sim/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Record<string, unknown>
}

const VA = { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 50_000 }

/** A charge that succeeds, with whatever is to be different about it. */
export async function charge(deployment: Deployment, more: object = {}) {
  const { status, body } = await ask(deployment, 'POST /charge/', { body: { ...VA, ...more } })
  assert.equal(status, 201, JSON.stringify(body))
  return body as Record<string, string> & { items: Record<string, unknown>[] }
}

/** A GoPay charge the payer has paid, as the service has learned it by asking. */
export async function settled(deployment: Deployment, more: object = {}) {
  const payment = await charge(deployment, { payment_type: 'gopay', bank: undefined, ...more })
  await simulate(deployment, `transactions/${payment['order_id']}/pay`)
  const { body } = await ask(deployment, `GET /payments/${payment['id']}/check_status/`)
  return (body['payment'] ?? {}) as Record<string, string>
}
