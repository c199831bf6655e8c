// Reads of the gateway's own account of the money: balances with the server key, the transaction
// history with BI-SNAP. They change nothing there, so they may be repeated.
import { GatewayError, gatewayError } from '../domain/errors.ts'
import type { Authorize } from './calls.ts'
import { callHeaders, snapTime, tokenHeaders, type BiSnapCredentials } from './bi_snap.ts'
import { STATEMENT_OPERATIONS } from './operations.ts'
import type { SharedParts } from './shared_parts.ts'
import * as wire from './wire/statements.ts'

/** A closed span of time; both ends are inside it, to the second. */
export interface StatementSpan {
  from: Date
  to: Date
}

/** Of one page of the history; the gateway takes at most this. */
export const HISTORY_PAGE_MAX = 50
/** A token is not used in its last minute. */
const TOKEN_MARGIN_MS = 60_000
const TOKEN_LIFE_S = 900

type SignedOperation = 'list_history' | 'get_history'

export class StatementClient {
  readonly #shared: SharedParts
  #token: { value: string; ends_at: number } | undefined
  #refresh: Promise<string> | undefined

  constructor(shared: SharedParts) {
    this.#shared = shared
  }

  /** Whether there are credentials for the history. */
  get reads_history(): boolean {
    return this.#shared.settings.bi_snap !== null
  }

  /** False while the breaker is open. */
  get available(): boolean {
    return this.#shared.resilience.available
  }

  async getBalanceMutation({ from, to }: StatementSpan): Promise<wire.BalanceMutation> {
    return await this.#shared.caller.perform({
      operation: 'get_balance_mutation',
      query: { currency: 'IDR', start_time: snapTime(from), end_time: snapTime(to) },
      parse: wire.parseBalanceMutation,
    })
  }

  /** Oldest first, so that a line that appears while pages are read moves no other. */
  async listHistory(span: StatementSpan, page: number): Promise<wire.HistoryPage> {
    const body = {
      fromDateTime: snapTime(span.from),
      toDateTime: snapTime(span.to),
      pageSize: HISTORY_PAGE_MAX,
      pageNumber: page,
      sortOrder: 'ASC',
    }
    return await this.#signed('list_history', body, wire.parseHistoryPage)
  }

  /** One transaction or withdrawal by the gateway's own id. */
  async getHistory(reference: string, order_id: string): Promise<wire.HistoryLine> {
    const body = {
      originalPartnerReferenceNo: order_id,
      additionalInfo: { referenceNo: reference },
    }
    return await this.#signed('get_history', body, wire.parseHistoryLine)
  }

  /** A token can end before its time, as after a change of keys: one refusal buys a new one. */
  async #signed<T>(
    operation: SignedOperation,
    body: object,
    parse: (value: unknown) => T | undefined,
  ): Promise<T> {
    const credentials = this.#credentials(operation)
    const ask = async (): Promise<T> => {
      const token = await this.#accessToken(credentials)
      const { path } = STATEMENT_OPERATIONS[operation]
      const authorize: Authorize = ({ method, body: sent }) =>
        callHeaders(credentials, { method, path, body: sent, token })
      const secrets = [credentials.client_secret.reveal(), token]
      return await this.#shared.caller.perform({ operation, body, parse, authorize, secrets })
    }
    try {
      return await ask()
    } catch (error) {
      const refused =
        error instanceof GatewayError && error.code === 'gateway_authentication_failed'
      if (!refused || error.operation !== operation) throw error
      this.#token = undefined
      return await ask()
    }
  }

  #credentials(operation: SignedOperation): BiSnapCredentials {
    const { bi_snap } = this.#shared.settings
    if (bi_snap !== null) return bi_snap
    const errors = [{ field: 'bi_snap', message: 'is required in the settings' }]
    throw gatewayError('invalid_request', { operation, errors })
  }

  /** Those who need a token at the same time wait for the same one. */
  async #accessToken(credentials: BiSnapCredentials): Promise<string> {
    const held = this.#token
    if (held !== undefined && performance.now() < held.ends_at) return held.value
    this.#refresh ??= this.#buyToken(credentials).finally(() => {
      this.#refresh = undefined
    })
    return await this.#refresh
  }

  async #buyToken(credentials: BiSnapCredentials): Promise<string> {
    const begun = performance.now()
    const { accessToken, expiresIn } = await this.#shared.caller.perform({
      operation: 'create_access_token',
      body: { grantType: 'client_credentials' },
      parse: wire.parseAccessToken,
      authorize: () => tokenHeaders(credentials),
      secrets: [credentials.client_secret.reveal()],
    })
    const life_s = Number(expiresIn ?? TOKEN_LIFE_S)
    const life_ms = Math.max(0, (Number.isFinite(life_s) ? life_s : 0) * 1_000 - TOKEN_MARGIN_MS)
    this.#token = { value: accessToken, ends_at: begun + life_ms }
    return accessToken
  }
}
