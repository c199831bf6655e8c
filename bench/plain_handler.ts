// A webhook handler as tutorials show it: verify the signature, store the payload, set the status
// unless it is final, answer. One transaction per request, so that a crash loses nothing it
// acknowledged. It has no history, no events, no amounts, and one rule.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import express, { type Express, type Request, type Response } from 'express'
import { Pool } from 'pg'

interface PlainOptions {
  database_url: string
  schema: string
  server_key: string
}

interface Notice {
  order_id: string
  status_code: string
  gross_amount: string
  signature_key: string
  transaction_status: string
  transaction_id: string
}

const FINAL = new Set(['settlement', 'expire', 'cancel', 'deny', 'refund'])

export function plainHandler({ database_url, schema, server_key }: PlainOptions): Express {
  const pool = new Pool({ connectionString: database_url, max: 10 })
  const app = express()
  app.use(express.json())
  app.post('/notification/', (request: Request<unknown, unknown, Notice>, response) => {
    if (genuine(request.body, server_key)) {
      receive(pool, schema, request.body, response).catch(() => response.status(500).json({}))
    } else {
      response.status(403).json({})
    }
  })
  return app
}

function genuine({ order_id, status_code, gross_amount, signature_key }: Notice, key: string) {
  const made = createHash('sha512').update(order_id + status_code + gross_amount + key)
  const expected = Buffer.from(made.digest('hex'))
  const given = Buffer.from(signature_key)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function receive(pool: Pool, schema: string, notice: Notice, response: Response) {
  const id = randomUUID()
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into ${schema}.notification (id, order_id, payload) values ($1, $2, $3)`,
      [id, notice.order_id, notice],
    )
    const { rows } = await client.query<{ id: string; status: string }>(
      `select id, status from ${schema}.payment where order_id = $1 for update`,
      [notice.order_id],
    )
    const [payment] = rows
    if (payment !== undefined && !FINAL.has(payment.status)) {
      await client.query(
        `update ${schema}.payment
         set status = $2, transaction_id = $3, updated_at = now()
         where id = $1`,
        [payment.id, notice.transaction_status, notice.transaction_id],
      )
    }
    await client.query('commit')
    response.json({ status: 'ok', notification_id: id })
  } catch {
    await client.query('rollback')
    response.status(500).json({})
  } finally {
    client.release()
  }
}
