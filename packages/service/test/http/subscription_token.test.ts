// The saved token can charge the customer for ever. It goes through every path here, good and bad,
// and must be found nowhere afterwards.
import { expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { useSubscriptionHttp } from './subscription_http_bench.ts'

const { http, inputOf, savedCard, hearNotices } = useSubscriptionHttp()
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }

/** Every row of every table of ours, as text. */
async function everyRow(): Promise<string> {
  const { schema } = http.database.db
  const tables = await http.database.sql(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE'`,
    [schema],
  )
  expect(tables.length).toBeGreaterThan(15)
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await http.database.sql(
      `select row_to_json(t)::text as line from ${String(name)} t`,
    )
    texts.push(...rows.map(({ line }) => String(line)))
  }
  return texts.join('\n')
}

test('the token is in no reply, log, event or table', async () => {
  await hearNotices()
  const token = await savedCard()
  const said: string[] = []
  const note = async (answer: Promise<{ text: string }>) => said.push((await answer).text)
  const create = async (more: object = {}) =>
    await http.post('/subscriptions/', { body: await inputOf({ token, ...more }) })

  const created = await create({ interval_unit: 'day', max_interval: 2 })
  const { id } = created.body
  said.push(created.text)
  // Refused here, refused there with the token echoed, lost on the way.
  await note(create({ amount: -1 }))
  await note(create({ gopay: { account_id: token } }))
  const echo = { status_message: `token ${token} is bad`, validation_messages: [token] }
  await http.strike('create_subscription', 'status', { options: { http_status: 400, body: echo } })
  await note(create())
  await http.strike('create_subscription', 'drop_after', { times: 2 })
  await note(create())
  await http.calm()
  // Notices carry it, and so does every answer to a question.
  await http.control('clock/advance', { days: 3 })
  said.push(JSON.stringify(await http.parts.gapura.api.getSubscriptionStatus(ani, id)))
  await http.strike('update_subscription', 'status', { options: { http_status: 400, body: echo } })
  const update = async () =>
    await http.parts.gapura.api.updateSubscription(ani, id, { amount: 1_000 })
  said.push(await update().then(JSON.stringify, (error: unknown) => String(error)))
  said.push(JSON.stringify(await update()))
  for (const path of ['disable', 'enable', 'cancel'])
    await note(http.post(`/subscriptions/${id}/${path}/`))
  await note(http.get(`/subscriptions/${id}/`))
  await note(http.get('/subscriptions/'))
  await note(http.get(`/payments/?subscription_id=${id}`))

  expect(said.length).toBeGreaterThan(12)
  const rows = await everyRow()
  expect(rows).toContain(id)
  expect(rows).not.toContain(token)
  expect(said.join('\n')).not.toContain(token)
  expect(JSON.stringify(http.log)).not.toContain(token)
})
