import { fieldsAt, flagAt, textAt, type Fields } from '../wire/fields.ts'
import { MINUTE_MS } from '../wire/times.ts'
import type { World } from '../world/world.ts'
import { expiryOf } from './expiry.ts'
import type { Opening, Outcome } from './opening.ts'
import type { ChargeRequest } from './request.ts'
import { action, payPage } from './wallets.ts'

const says = (code: string, message: string): Fields => ({
  channel_response_code: code,
  channel_response_message: message,
})

const denied = (details: Fields): Opening => ({
  status: 'deny',
  status_message: 'GoPay transaction is denied',
  fraud_status: 'accept',
  details,
})

/** A charge to a linked account: settled at once, held, denied, or pending until the PIN. */
export function openTokenizedGopay(world: World, request: ChargeRequest): Outcome {
  const object = fieldsAt(request.body, 'gopay')
  const token = textAt(object, 'payment_option_token')
  if (token === undefined) return { messages: ['gopay.payment_option_token is required'] }
  const expiry = expiryOf(request, world.clock.now())
  if (Array.isArray(expiry)) return { messages: expiry }
  const account = world.accounts.get(textAt(object, 'account_id') ?? '')
  const option = account?.options.find((known) => known.token === token)
  if (account?.account_status !== 'ENABLED') return denied(says('900', 'Account is not linked'))
  if (!option) return denied(says('900', 'Payment option token is not valid'))
  const { account_id } = account
  if (option.balance < request.gross_amount) {
    return { ...denied(says('201', 'Insufficient Balance')), account_id, expires_at: expiry }
  }
  const opening = {
    fraud_status: 'accept',
    account_id,
    expires_at: expiry,
    details: { payment_option_type: option.name },
  } as const
  if (account.verification_required) {
    return {
      ...opening,
      authorize_only: flagAt(object, 'pre_auth') === true,
      status: 'pending',
      status_message: 'GoPay transaction is created. Action(s) required',
      instructions: (id) => ({
        actions: [
          action('verification-link-url', payPage(world, id)),
          action('verification-link-app', payPage(world, id)),
        ],
      }),
    }
  }
  // A hold reserves the balance as well; its expiry releases it.
  option.balance -= request.gross_amount
  const success = { ...opening, status_message: 'Success, GoPay transaction is successful' }
  if (flagAt(object, 'pre_auth') === true) {
    const approved = says('0', 'Process service request successfully.')
    const expires_at = expiry ?? world.clock.now() + 15 * MINUTE_MS
    return {
      ...success,
      status: 'authorize',
      expires_at,
      authorize_only: true,
      details: { ...opening.details, ...approved },
    }
  }
  return { ...success, status: 'settlement' }
}
