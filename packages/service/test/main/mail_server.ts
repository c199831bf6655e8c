// An SMTP server that keeps what it gets, for tests of mail over a real connection.
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface ReceivedMail {
  to: string[]
  text: string
  message_id: string | undefined
}

type Judge = (mail: ReceivedMail) => boolean | Promise<boolean>

export function useMailServer() {
  const mails: ReceivedMail[] = []
  let judge: Judge = () => true
  const server = createServer((socket) => {
    let body: string[] | undefined
    let to: string[] = []
    let rest = ''
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    const answer = (line: string): void => void socket.write(`${line}\r\n`)
    const ended = async (lines: readonly string[]): Promise<void> => {
      const text = lines.join('\n')
      const message_id = /^Message-ID: (\S+)$/im.exec(text)?.[1]
      const mail = { to, text, message_id }
      mails.push(mail)
      to = []
      answer((await judge(mail)) ? '250 taken' : '451 not now')
    }
    const hear = (line: string): void => {
      if (body !== undefined) {
        if (line !== '.') return void body.push(line)
        const lines = body
        body = undefined
        return void ended(lines)
      }
      const recipient = /^RCPT TO:<(.+)>/i.exec(line)?.[1]
      if (recipient !== undefined) to.push(recipient)
      if (line === 'DATA') body = []
      answer(line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 ok')
    }
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())
  return {
    mails,
    /** Decides about each mail that comes from now on; it is kept in any case. */
    judge: (next: Judge) => {
      judge = next
    },
    get smtp_url() {
      return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  }
}
