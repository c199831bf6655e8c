// What Slack, Telegram and a mail server receive: real connections to servers of the test's own.
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operatorMessage, type OperatorEvent } from '../../src/domain/operator_event.ts'
import { openStaffChannels, parseChannels } from '../../src/main/staff_channels.ts'
import { newId } from '../../src/store/sql/values.ts'
import { listen } from '../http/http_bench.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('a channel', () => {
  const events: OperatorEvent[] = [
    {
      type: 'refund_request_opened',
      object: { id: 'r-1', payment_id: 'p-1', expires_at: '2026-01-01T00:00:00Z' },
    },
    { type: 'endpoint_disabled', object: { id: 'e-1', reason: 'failing <5 days>' } },
  ]
  const sent = (event: OperatorEvent) => ({ ...event, id: newId(), xid: '1', sequence: 1 }) as never

  test('Slack and Telegram get the text in their format', async () => {
    const bodies: [string, Record<string, unknown>][] = []
    const server = createHttpServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as Record<string, unknown>
        bodies.push([request.url ?? '', body])
        response.end('ok')
      })()
    })
    const url = await listen(server)
    onTestFinished(() => void server.close())
    const channels = parseChannels(
      JSON.stringify([
        { kind: 'slack', name: 'desk', url: `${url}/services/T/B/x` },
        {
          kind: 'telegram',
          name: 'night',
          token: '123:abc',
          chat_id: '-100',
          base_url: url,
          events: ['endpoint_disabled'],
        },
      ]),
    )
    const opened = await openStaffChannels({ channels }, silent)
    const aborted = new AbortController().signal
    for (const one of opened.subscribers) await one.deliverTogether?.(events.map(sent), aborted)
    await opened.close()
    expect(bodies.map(([path]) => path)).toEqual(['/services/T/B/x', '/bot123:abc/sendMessage'])
    expect(bodies[0]?.[1]['text']).toContain('failing &lt;5 days&gt;')
    expect(bodies[1]?.[1]).toMatchObject({ chat_id: '-100' })
    expect(opened.subscribers.map(({ signals }) => signals.length)).toEqual([4, 1])
  })

  test('e-mail goes out by SMTP with subject and text', async () => {
    const heard: string[] = []
    const server = createTcpServer((socket) => {
      let in_body = false
      socket.write('220 here\r\n')
      socket.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().split('\r\n')) {
          if (line === '' && !in_body) continue
          heard.push(line)
          if (in_body) {
            if (line === '.') {
              in_body = false
              socket.write('250 taken\r\n')
            }
            continue
          }
          in_body = line === 'DATA'
          socket.write(in_body ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const channels = parseChannels(
      JSON.stringify([
        {
          kind: 'email',
          name: 'mail',
          smtp_url: `smtp://127.0.0.1:${port}`,
          from: 'pay@shop.example',
          to: ['dewi@shop.example'],
        },
      ]),
    )
    const opened = await openStaffChannels({ channels }, silent)
    await opened.subscribers[0]?.deliverTogether?.(
      [sent(events[0] as OperatorEvent)],
      new AbortController().signal,
    )
    await opened.close()
    const mail = heard.join('\n')
    expect(mail).toContain('RCPT TO:<dewi@shop.example>')
    expect(mail).toMatch(/Subject: Gapura: refund waits for approval/)
  })

  test.each([
    '{}',
    'no json',
    '[{"kind":"slack","name":"a"}]',
    '[{"kind":"slack","name":"A B","url":"https://x.example/"}]',
    '[{"kind":"slack","name":"a","url":"https://x.example/","events":["payment_settled"]}]',
    '[{"kind":"slack","name":"a","url":"https://x.example/"},{"kind":"slack","name":"a","url":"https://y.example/"}]',
  ])('%s is refused, and no value is repeated', (given) => {
    expect(() => parseChannels(given)).toThrow(/^(?:is a JSON list|names each)/)
  })

  test('the message of many counts them and names a few', () => {
    const many = Array.from({ length: 40 }, (_, n): OperatorEvent => ({
      type: 'alarm_opened',
      object: {
        id: `${n}`,
        kind: n < 30 ? 'late_money' : 'reversal',
        subject_kind: 'payment',
        subject_id: `p-${n}`,
      },
    }))
    const { subject, text: said } = operatorMessage(many)
    expect(subject).toBe('Gapura: 40 events')
    expect(said).toContain('40 × alarm opened (late_money 30, reversal 10)')
    expect(said).toContain('and 35 more')
    expect(said.length).toBeLessThan(1_000)
  })
})
