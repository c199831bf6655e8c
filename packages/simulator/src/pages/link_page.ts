import { linkAccount } from '../control/pay_accounts.ts'
import { paramOf } from '../http/call.ts'
import { grouped } from './format.ts'
import { html, type Html } from './html.ts'
import { actionRoute, notFound, pageRoute, refused, type Page } from './layout.ts'
import type { View } from './view.ts'
import type { Account } from '../world/account.ts'

const find = ({ world, call }: View): Account | undefined => world.accounts.get(paramOf(call, 'id'))

const pathOf = ({ account_id }: Account): string => `/_sim/pages/link/${account_id}`

/** Behind an activation link: the customer lets the shop charge their wallet. */
function show(view: View): Page {
  const account = find(view)
  if (!account) return { ...notFound(view), section: 'payer' }
  const { t } = view
  return {
    title: t('link_title'),
    section: 'payer',
    main: html`<article class="ticket brand-gopay" id="ticket" data-live>
      <header>
        <p class="method"><b>GoPay</b> <span>${account.account_status}</span></p>
        <h1>${t('link_title')}</h1>
        <p>${grouped(account.phone_number)}</p>
      </header>
      <div class="body">
        ${account.account_status === 'PENDING' ? form(view, account) : state(view, account)}
      </div>
    </article>`,
  }
}

const form = ({ t, world }: View, account: Account): Html =>
  html`<p class="ask">${t('link_ask', { shop: world.settings.merchant_id })}</p>
    <form method="post" action="${pathOf(account)}">
      <button class="primary wide">${t('link_allow')}</button>
    </form>`

function state({ t }: View, { account_status }: Account): Html {
  const linked = account_status === 'ENABLED'
  return html`<div class="ended ${linked ? 'settlement' : 'expire'}">
    <p class="sign" aria-hidden="true">${linked ? '✓' : '✕'}</p>
    <h2>${linked ? t('linked') : t('not_linked')}</h2>
  </div>`
}

function link(view: View): string | Page {
  const account = find(view)
  if (!account) return { ...notFound(view), section: 'payer' }
  const refusal = linkAccount(view.world, account)
  const path = pathOf(account)
  return refusal === undefined ? path : { ...refused(view, refusal, path), section: 'payer' }
}

export const LINK_PAGE = [
  pageRoute('GET /_sim/pages/link/{id}', show),
  actionRoute('POST /_sim/pages/link/{id}', link),
]
