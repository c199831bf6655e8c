// Reads answers from a raw socket, several pipelined ones as they arrive.

export interface Answer {
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}

const HEAD_END = '\r\n\r\n'

/** Takes bytes, returns complete answers. A body without a length ends with its connection. */
export class AnswerReader {
  #held: Buffer = Buffer.alloc(0)

  /** The answers that are complete now. */
  take(chunk: Buffer): Answer[] {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const answers: Answer[] = []
    for (;;) {
      const answer = this.#next(false)
      if (answer === undefined) return answers
      // 100 Continue and other 1xx are not final answers.
      if (answer.status >= 200) answers.push(answer)
    }
  }

  /** The connection has ended: no more bytes will arrive. */
  end(): Answer | undefined {
    return this.#next(true)
  }

  #next(ended: boolean): Answer | undefined {
    const at = this.#held.indexOf(HEAD_END)
    if (at < 0) return undefined
    const [line = '', ...fields] = this.#held.toString('latin1', 0, at).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? '0')
    const headers = new Map(fields.map(field))
    const from = at + HEAD_END.length
    const to = this.#endOfBody({ from, status, headers, ended })
    if (to === undefined) return undefined
    const body = this.#held.toString('utf8', from, to)
    this.#held = this.#held.subarray(to)
    return { status, headers, body }
  }

  #endOfBody(head: { from: number; status: number; headers: Map<string, string>; ended: boolean }) {
    const { from, status, headers, ended } = head
    if (status < 200 || status === 204 || status === 304) return from
    const length = headers.get('content-length')
    if (length !== undefined) {
      const to = from + Number(length)
      return to <= this.#held.length ? to : undefined
    }
    if (headers.get('transfer-encoding') === 'chunked') {
      const last = this.#held.indexOf('0\r\n\r\n', from)
      return last < 0 ? undefined : last + 5
    }
    return ended ? this.#held.length : undefined
  }
}

const field = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
