import { action } from '../charge/wallets.ts'
import { paramOf, type Call } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { rupiah } from '../wire/amounts.ts'
import { fieldsAt, has, textAt, type Fields } from '../wire/fields.ts'
import { signAccount } from '../wire/signature.ts'
import { MINUTE_MS } from '../wire/times.ts'
import type { Account } from '../world/account.ts'
import type { World } from '../world/world.ts'

// Not published; long enough for a customer with a phone.
const LINKING_LIFE_MS = 15 * MINUTE_MS

/** Phones that cannot be linked in the sandbox (gateway-protocol.md#sandbox-data). */
const PHONES_REFUSED: Record<string, [string, string]> = {
  '123450001': ['105', 'User Not Found'],
  '123450002': ['112', 'User is blocked'],
}

const channelDenies = ([code, message]: [string, string]): Fields => ({
  status_code: '202',
  payment_type: 'gopay',
  channel_response_code: code,
  channel_response_message: message,
})

/** POST /v2/pay/account: starts linking a customer's GoPay. */
export function createPayAccount(world: World, call: Call): Reply {
  if (!call.body) return coreError('413', world.random.uuid())
  const partner = fieldsAt(call.body, 'gopay_partner')
  const messages: string[] = []
  if (textAt(call.body, 'payment_type') !== 'gopay') messages.push('payment_type must be gopay')
  for (const key of ['phone_number', 'country_code']) {
    if (!has(partner, key)) messages.push(`gopay_partner.${key} is required`)
  }
  if (messages.length > 0)
    return coreError('400', world.random.uuid(), { validation_messages: messages })
  const phone_number = String(partner['phone_number'])
  const refused = PHONES_REFUSED[phone_number]
  if (refused) return coreReply(channelDenies(refused))
  const redirect_url = textAt(partner, 'redirect_url')
  if (redirect_url !== undefined && !URL.canParse(redirect_url))
    return coreReply(channelDenies(['2903', 'invalid scheme']))
  return coreReply(openAccount(world, phone_number))
}

function openAccount(world: World, phone_number: string): Fields {
  const account: Account = {
    account_id: world.random.uuid(),
    account_status: 'PENDING',
    reference_id: world.random.uuid(),
    phone_number,
    options: [],
    verification_required: false,
    refuse_unbind: false,
  }
  world.accounts.set(account.account_id, account)
  world.clock.schedule(world.clock.now() + LINKING_LIFE_MS, () => {
    if (account.account_status === 'PENDING') account.account_status = 'EXPIRED'
  })
  const link = `${world.base_url}/_sim/pages/link/${account.account_id}`
  return {
    ...accountFields(account),
    actions: [
      action('activation-deeplink', link),
      action('activation-link-url', link),
      action('activation-link-app', link),
    ],
    metadata: { reference_id: account.reference_id },
  }
}

const CODES: Record<Account['account_status'], string> = {
  PENDING: '201',
  ENABLED: '200',
  EXPIRED: '204',
  DISABLED: '204',
}

const accountFields = ({ account_id, account_status }: Account): Fields => ({
  status_code: CODES[account_status],
  payment_type: 'gopay',
  account_id,
  account_status,
})

/** GET /v2/pay/account/{account_id}: the state, and the options to charge once it is linked. */
export function getPayAccount(world: World, call: Call): Reply {
  const account = world.accounts.get(paramOf(call, 'account_id'))
  if (!account) return unknown(world)
  if (account.account_status !== 'ENABLED') return coreReply(accountFields(account))
  const payment_options = account.options.map(({ name, balance, token }) => ({
    name,
    active: true,
    balance: { value: rupiah(balance), currency: 'IDR' },
    metadata: {},
    token,
  }))
  return coreReply({ ...accountFields(account), metadata: { payment_options } })
}

/** POST /v2/pay/account/{account_id}/unbind. */
export function unbindPayAccount(world: World, call: Call): Reply {
  const account = world.accounts.get(paramOf(call, 'account_id'))
  if (!account) return unknown(world)
  if (account.account_status !== 'ENABLED') {
    const status_message = 'Account status cannot be updated.'
    return coreError('412', world.random.uuid(), { status_message })
  }
  const { account_id } = account
  // Refuses once, so that a retry succeeds.
  if (account.refuse_unbind) {
    account.refuse_unbind = false
    const denied = channelDenies(['1001', 'Caller authentication error.'])
    return coreReply({ ...denied, account_id })
  }
  changeAccount(world, account, 'DISABLED')
  return coreReply({
    ...accountFields(account),
    channel_response_code: '0',
    channel_response_message: 'Process service request successfully.',
  })
}

const unknown = (world: World): Reply =>
  coreError('404', world.random.uuid(), { status_message: "Account doesn't exist." })

/**
 * Links or unlinks an account and notifies the pay-account URL
 * (gateway-protocol.md#pay-account-notifications).
 */
export function changeAccount(
  world: World,
  account: Account,
  account_status: 'ENABLED' | 'DISABLED',
): void {
  account.account_status = account_status
  const { server_key, merchant_id, pay_account_notification_url: url } = world.settings
  const { account_id } = account
  const status_code = CODES[account_status]
  const word = account_status === 'ENABLED' ? 'account_linked' : 'account_unlinked'
  world.courier.notify({
    kind: 'pay_account',
    urls: url === '' ? [] : [url],
    payload: {
      account_id,
      merchant_id,
      payment_type: 'gopay',
      signature_key: signAccount({ account_id, status_code }, server_key),
      status_code,
      account_status,
      status_message: `Midtrans ${word} notification`,
    },
  })
}
