import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  GatewayClient,
  GatewayError,
  PAYMENT_TYPES,
  signNotification,
  type ChargeRequest,
  type OperationName,
  type PaymentType,
} from 'gapura'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseJson } from '../../packages/service/src/gateway/json.ts'
import { parseNotification } from '../../packages/service/src/gateway/wire/notifications.ts'
import {
  parseFraudStatus,
  parseReportedStatus,
  statusCodeFits,
} from '../../packages/service/src/domain/payment_status.ts'
import { CALLS, CHARGES, type Ids } from '../gateway_calls.ts'
import { REQUEST_DIFFERENCES } from './differences.ts'
import {
  loadSamples,
  named,
  outOfScope,
  samplesArePresent,
  samplesInScope,
  type Sample,
} from './samples.ts'

type Fields = Record<string, unknown>

const IDS: Ids = {
  order_id: 'a',
  transaction_id: 'b',
  token_id: 'c',
  account_id: 'd',
  subscription_id: 'e',
  invoice_id: 'f',
  page_token: 'g',
}

/** A server that replies with the sample of the moment and remembers what it was sent. */
const stage: { reply: { status: number; text: string }; sent: unknown; url: string } = {
  reply: { status: 200, text: '{}' },
  sent: undefined,
  url: '',
}
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    stage.sent = parseJson(Buffer.concat(chunks).toString())
    response.writeHead(stage.reply.status).end(stage.reply.text)
  })
})

let client: GatewayClient

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stage.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** A client for each sample, so that published failures never add up to an open breaker. */
async function withClient<T>(work: () => Promise<T>): Promise<T> {
  client = new GatewayClient({
    server_key: 'SB-Mid-server-test',
    client_key: 'SB-Mid-client-test',
    base_url: stage.url,
    card_data: true,
    retry_delay_ms: 1,
  })
  try {
    return await work()
  } finally {
    await client.close()
  }
}

const chargeTypeOf = ({ payment_type }: Sample): PaymentType =>
  PAYMENT_TYPES.find((type) => type === payment_type) ?? 'bank_transfer'

/** A charge of the sampled order: an answer about any other would rightly be no answer. */
function chargeFor(sample: Sample): ChargeRequest {
  const charge = CHARGES[chargeTypeOf(sample)]
  const { order_id } = sample.body as Fields
  const { transaction_details } = charge
  if (typeof order_id !== 'string') return charge
  return { ...charge, transaction_details: { ...transaction_details, order_id } }
}

const callFor = (sample: Sample): Promise<unknown> =>
  sample.operation === 'charge'
    ? client.charge(chargeFor(sample))
    : CALLS[sample.operation as Exclude<OperationName, 'charge'>](client, IDS)

const REFUSED_UNDER_202 = new Set([
  'capture',
  'refund',
  'direct_refund',
  'create_pay_account',
  'unbind_pay_account',
])

/** Whether the sample is a refusal, by the facts of the wire and not by our own mapping. */
function isRefusal({ operation, http_status = 200, body }: Sample): boolean {
  const code = Number((body as Fields | null)?.['status_code'] ?? http_status)
  if (code === 202) return REFUSED_UNDER_202.has(operation)
  return (code >= 400 && code !== 407) || http_status >= 400
}

describe.skipIf(!samplesArePresent)('published replies', () => {
  test.each(named(samplesInScope('reply')))('%s', async (_, sample) => {
    stage.reply = { status: sample.http_status ?? 200, text: sample.text }
    const outcome = await withClient(() => callFor(sample).catch((error: unknown) => error))
    if (!isRefusal(sample)) {
      // Nothing lost: what the caller gets is all that was published, long integers included.
      expect(outcome).toEqual(parseJson(sample.text))
      return
    }
    expect(outcome).toBeInstanceOf(GatewayError)
    const { gateway, definite, code } = outcome as GatewayError
    const { status_code, status_message } = (sample.body ?? {}) as Fields
    expect(gateway?.status_code ?? null).toBe(status_code ?? null)
    if (typeof status_message === 'string')
      expect(gateway?.status_message).toContain(status_message)
    // What may have been done is never called certain: 5xx, and what is there already.
    const uncertain =
      Number(status_code ?? sample.http_status) >= 500 || code === 'gateway_duplicate'
    expect(definite).toBe(!uncertain)
  })
})

describe.skipIf(!samplesArePresent)('published notifications', () => {
  const notifications = samplesInScope('notification')

  test.each(named(notifications))('%s', (_, { text, operation }) => {
    const body = parseJson(text) as Fields
    const parsed = parseNotification(body)
    expect(parsed?.payload).toEqual(body)
    const flat = 'transaction_status' in body
    const SHAPES: Record<string, string> = {
      subscription_notification:
        'event_name' in body ? 'subscription_charge' : 'subscription_created',
      pay_account_notification: 'pay_account',
    }
    expect(parsed?.shape).toBe(flat ? 'payment' : SHAPES[operation])
  })

  const payments = notifications.filter(({ body }) => 'transaction_status' in (body as Fields))

  test.each(named(payments))('%s: status word and code belong together', (_, { body }) => {
    const { transaction_status, fraud_status, status_code } = body as Fields
    const status = parseReportedStatus(transaction_status)
    if (status === undefined) throw new Error(`unknown status ${String(transaction_status)}`)
    const fraud = parseFraudStatus(fraud_status) ?? null
    expect(statusCodeFits(String(status_code), status, fraud)).toBe(true)
  })

  const signed = loadSamples().filter(({ server_key }) => server_key !== undefined)

  test.each(named(signed))('%s verifies with the key of the index', (_, sample) => {
    const { body, server_key = '' } = sample
    const { order_id, status_code, gross_amount, signature_key } = body as Record<string, string>
    const fields = {
      order_id: order_id ?? '',
      status_code: status_code ?? '',
      gross_amount: gross_amount ?? '',
    }
    expect(signNotification(fields, server_key)).toBe(signature_key)
    const verifier = new GatewayClient({ server_key })
    expect(verifier.verifySignature({ ...fields, signature_key: signature_key ?? '' })).toBe(true)
  })

  test('there are signed samples to verify', () => {
    expect(signed.length).toBeGreaterThanOrEqual(7)
  })
})

describe.skipIf(!samplesArePresent)('published requests', () => {
  test.each(named(samplesInScope('request')))('%s', async (_, sample) => {
    stage.reply = { status: 200, text: '{"status_code":"200"}' }
    stage.sent = undefined
    const outcome = await withClient(() => sendAsSampled(sample).catch((error: unknown) => error))
    if (REQUEST_DIFFERENCES.some(({ file }) => file === sample.file)) {
      expect(outcome).toMatchObject({ code: 'invalid_request' })
      expect(stage.sent).toBeUndefined()
      return
    }
    expect(stage.sent).toMatchObject(sample.body as Fields)
  })
})

/** The call a merchant of this sample would make. */
function sendAsSampled({ operation, body }: Sample): Promise<unknown> {
  const fields = body as Record<string, string | undefined>
  const whole = (amount: unknown): number => Number(amount ?? 1)
  switch (operation) {
    case 'charge':
      // Some samples show a fragment without a method; it belongs under any of them.
      return client.charge({ payment_type: 'akulaku', ...fields } as never)
    case 'capture':
      return client.capture({
        transaction_id: fields['transaction_id'] ?? '',
        gross_amount: whole(fields['gross_amount']),
      })
    case 'refund':
    case 'direct_refund': {
      const refund = {
        order_id: 'a',
        refund_key: fields['refund_key'] ?? 'ours',
        amount: whole(fields['amount']),
        reason: fields['reason'] ?? '',
      }
      return operation === 'refund' ? client.refund(refund) : client.directRefund(refund)
    }
    case 'create_pay_account':
      return client.createPayAccount(fields as never)
    case 'create_subscription':
      return client.createSubscription(fields as never)
    case 'update_subscription':
      return client.updateSubscription('e', fields as never)
    case 'create_invoice':
      return client.createInvoice(fields as never)
    default:
      throw new Error(`no way to send ${operation}`)
  }
}

describe.skipIf(!samplesArePresent)('the count', () => {
  test('every sample is either checked or left out by name', () => {
    const all = loadSamples()
    const left = all.filter((sample) => outOfScope(sample) !== undefined)
    const checked = (['request', 'reply', 'notification'] as const).flatMap(samplesInScope)
    expect(checked.length + left.length).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(369)
  })
})
