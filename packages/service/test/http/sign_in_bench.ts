// The stand-alone service, whose staff sign in by themselves, and browsers that do.
import { createServer } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { SCOPES, type Scope } from '../../src/domain/caller.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { totpCode, totpStepAt } from '../../src/services/access/passwords.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { listen, send, useHttp, WEBHOOK_KEY, type Answer, type Sent } from './http_bench.ts'

export const PASSWORD = 'teh melati panas sekali'
/** The administrator at the command line. */
export const ROOT = { owner_id: 'root', staff: true, scopes: SCOPES }

export interface Member {
  id: string
  staff_id: string
  email: string
  /** The secret for codes. */
  secret: string
  browser: Browser
}

/** Keeps the cookie and the token for changes, as the dashboard does. */
export class Browser {
  cookie = ''
  csrf_token = ''
  readonly #base: () => string

  constructor(base: () => string) {
    this.#base = base
  }

  async get(path: string, sent: Sent = {}): Promise<Answer> {
    return await this.#send('GET', path, sent)
  }

  /** As the page sends it: from its own origin, with the token. */
  async post(path: string, body: object = {}, headers: Record<string, string> = {}) {
    const own = { 'x-csrf-token': this.csrf_token, 'sec-fetch-site': 'same-origin' }
    return await this.#send('POST', path, { body, headers: { ...own, ...headers } })
  }

  async #send(method: string, path: string, sent: Sent): Promise<Answer> {
    const headers = { ...(this.cookie !== '' && { cookie: this.cookie }), ...sent.headers }
    const answer = await send(method, `${this.#base()}${path}`, { ...sent, as: '', headers })
    const [set] = answer.headers.getSetCookie()
    if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? ''
    if (typeof answer.body['csrf_token'] === 'string') this.csrf_token = answer.body['csrf_token']
    return answer
  }
}

type Options = Partial<GapuraOptions>

export function useSignIn(options: Options | ((base: string) => Promise<Options>) = {}) {
  const http = useHttp()
  let gapura: Gapura | undefined
  let base = ''
  const log: string[] = []
  const note = (fields: object, message: string) => void log.push(JSON.stringify([fields, message]))
  const server = createServer((request, response) => gapura?.nodeHandler(request, response))
  beforeAll(async () => {
    base = `${await listen(server)}/pay`
    const more = typeof options === 'function' ? await options(base) : options
    const { server_key, url: base_url } = http.parts.simulator
    gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, base_url },
      prefix: '/pay',
      webhooks: { keys: [WEBHOOK_KEY] },
      limits: { guesses_per_minute: 0 },
      logger: { info: note, warn: note, error: note },
      ...more,
    })
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await gapura?.close()
  })
  const opened = (): Gapura => {
    if (gapura === undefined) throw new Error('open only inside tests')
    return gapura
  }
  const browser = (): Browser => new Browser(() => base)
  const invited = async (role: string) => {
    const staff_id = http.fresh(role)
    const person = {
      email: `${staff_id}@shop.example`,
      name: `Name of ${staff_id}`,
      role,
      staff_id,
    }
    return await opened().staff.invitePerson(ROOT, person)
  }
  return {
    http,
    log,
    browser,
    invited,
    get base() {
      return base
    },
    get gapura() {
      return opened()
    },
    /** A person who has set up password and code, with the browser that did it. */
    joined: async (role: string): Promise<Member> => {
      const { id, staff_id, email, link_token: token } = await invited(role)
      const page = browser()
      const { body } = await page.post('/sign_in/invitation/', { token })
      const { secret } = body['totp'] as { secret: string }
      const join = async () => {
        const code = totpCode(secret, totpStepAt(new Date()) - 1)
        return await page.post('/sign_in/join/', { token, password: PASSWORD, code })
      }
      const first = await join()
      // Refused if the time step ended meanwhile.
      const answer = first.status === 200 ? first : await join()
      if (answer.status !== 200) throw new Error(answer.text)
      return { id, staff_id, email, secret, browser: page }
    },
    staffKey: async (...scopes: Scope[]) =>
      await opened().createApiKey({ owner_id: 'keyed', name: 'desk', staff: true, scopes }),
  }
}

/** A code that was not used yet: of this time step, or of the one after it. */
export const codeOf = ({ secret }: Pick<Member, 'secret'>, later = 0): string =>
  totpCode(secret, totpStepAt(new Date()) + later)
