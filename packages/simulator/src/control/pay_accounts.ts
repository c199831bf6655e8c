import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { changeAccount } from '../operations/pay_accounts.ts'
import { flagAt, integerAt } from '../wire/fields.ts'
import { openingOptions, type Account } from '../world/account.ts'
import type { World } from '../world/world.ts'
import { fault, route, type ControlRoute } from './reply.ts'

type AccountAction = (world: World, account: Account) => string | undefined

const ACCOUNT_ACTIONS: Record<string, AccountAction> = {
  link: linkAccount,
  unlink: (world, account) => {
    if (account.account_status !== 'ENABLED') return `it is ${account.account_status}`
    changeAccount(world, account, 'DISABLED')
    return undefined
  },
  rotate_tokens: (world, account) => {
    for (const option of account.options) option.token = world.random.uuid()
    return undefined
  },
  refuse_unbind: (_world, account) => {
    account.refuse_unbind = true
    return undefined
  },
}

/** The customer allows the shop to charge the wallet; returns why it is not possible. */
export function linkAccount(world: World, account: Account): string | undefined {
  if (account.account_status !== 'PENDING') return `it is ${account.account_status}`
  account.options = openingOptions(() => world.random.uuid())
  changeAccount(world, account, 'ENABLED')
  return undefined
}

function act(host: Host, call: Call): Reply {
  const world = host.world()
  const account = world.accounts.get(paramOf(call, 'id'))
  if (!account) return fault(404, 'no such account')
  const action = ACCOUNT_ACTIONS[paramOf(call, 'action')]
  if (!action)
    return fault(404, `unknown action; use one of ${Object.keys(ACCOUNT_ACTIONS).join(', ')}`)
  const refusal = action(world, account)
  return refusal === undefined ? httpReply(200, { ...account }) : fault(409, refusal)
}

/** Sets balances, and whether charges wait for the customer's confirmation. */
function change(host: Host, call: Call): Reply {
  const account = host.world().accounts.get(paramOf(call, 'id'))
  if (!account) return fault(404, 'no such account')
  const body = call.body ?? {}
  account.verification_required =
    flagAt(body, 'verification_required') ?? account.verification_required
  for (const option of account.options) {
    option.balance = integerAt(body, option.name) ?? option.balance
  }
  return httpReply(200, { ...account })
}

function show(host: Host, call: Call): Reply {
  const account = host.world().accounts.get(paramOf(call, 'id'))
  return account ? httpReply(200, { ...account }) : fault(404, 'no such account')
}

/** The customer's side of linking. */
export const PAY_ACCOUNT_ROUTES: ControlRoute[] = [
  route('GET /_sim/pay_accounts/{id}', show),
  route('PATCH /_sim/pay_accounts/{id}', change),
  route('POST /_sim/pay_accounts/{id}/{action}', act),
]
