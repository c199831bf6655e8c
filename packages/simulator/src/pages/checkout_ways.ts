// The methods a hosted page offers, and what the payer types for two of them.
import { offeredMethods, type Choice } from '../operations/checkout_methods.ts'
import { fieldsAt, textAt } from '../wire/fields.ts'
import type { Checkout } from '../world/checkout.ts'
import { TEST_CARDS } from '../world/vault.ts'
import { grouped, rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import type { View } from './view.ts'
import { nameOf } from './words.ts'

const GROUPS = [
  { title: 'group_cards', methods: ['credit_card'] },
  { title: 'group_wallets', methods: ['gopay', 'shopeepay', 'dana', 'ovo', 'other_qris'] },
  {
    title: 'group_banks',
    methods: ['bca_va', 'bni_va', 'bri_va', 'cimb_va', 'permata_va', 'echannel'],
  },
  { title: 'group_stores', methods: ['indomaret', 'alfamart'] },
  { title: 'group_paylater', methods: ['akulaku', 'kredivo'] },
] as const

const BRANDS: Record<string, string> = { other_qris: 'qris', echannel: 'mandiri' }

const brandOfWay = (method: string): string => BRANDS[method] ?? method.replace(/_va$/, '')

/** Methods that need more than the choice. */
export const ASKING = ['credit_card', 'ovo'] as const

/** Where the links and forms of a page lead, with what must be kept. */
export type Href = (more?: Record<string, string>) => string

/** The offered methods in groups; a card and OVO lead to a form first. */
export function methodList(view: View, checkout: Checkout, href: Href): Html {
  const { t, world } = view
  const offered = offeredMethods(world, checkout)
  if (offered.length === 0) return html`<p class="notice bad">${t('no_methods')}</p>`
  const groups = GROUPS.map(({ title, methods }) => ({
    title: t(title),
    methods: methods.filter((method) => offered.includes(method)),
  }))
  return html`<h2>${t('choose_method')}</h2>
    <form method="post" action="${href()}">
      ${groups
        .filter(({ methods }) => methods.length > 0)
        .map(
          ({ title, methods }) =>
            html`<div class="group">
              <h3>${title}</h3>
              <ul class="ways">
                ${methods.map((method) => html`<li>${way(view, method, href)}</li>`)}
              </ul>
            </div>`,
        )}
    </form>`
}

function way({ t }: View, method: string, href: Href): Html {
  const brand = brandOfWay(method)
  const label = method === 'credit_card' ? t('way_credit_card') : nameOf(brand)
  return ASKING.some((name) => name === method)
    ? html`<a class="button way brand-${brand}" href="${href({ method })}">${label}</a>`
    : html`<button class="way brand-${brand}" name="method" value="${method}">${label}</button>`
}

/** The form of a method that needs more. */
export function methodForm(view: View, checkout: Checkout, method: string, href: Href): Html {
  const { t } = view
  return html`<form method="post" action="${href()}" class="cardform">
      <input type="hidden" name="method" value="${method}" />
      ${method === 'credit_card' ? cardFields(view) : phoneField(view, checkout)}
      <button class="primary wide full">
        ${method === 'credit_card' ? t('pay_amount', { amount: rupiahText(checkout.gross_amount) }) : t('go_on')}
      </button>
    </form>
    ${method === 'credit_card' && testCards(view)}`
}

function cardFields({ t, world }: View): Html {
  const year = new Date(world.clock.now()).getUTCFullYear() + 1
  return html`<label class="full">
      ${t('card_number')}
      <input
        name="card_number"
        inputmode="numeric"
        autocomplete="off"
        required
        value="${grouped(TEST_CARDS[0]?.number ?? '')}"
      />
    </label>
    <label>
      ${t('card_expiry')}
      <input
        name="card_expiry"
        inputmode="numeric"
        autocomplete="off"
        required
        pattern="(0[1-9]|1[0-2])\\s*/\\s*\\d{2}"
        value="12/${String(year).slice(-2)}"
      />
    </label>
    <label>
      ${t('card_cvv')}
      <input name="card_cvv" inputmode="numeric" autocomplete="off" required value="123" />
    </label>`
}

function phoneField({ t }: View, { body }: Checkout): Html {
  const phone = textAt(fieldsAt(body, 'customer_details'), 'phone') ?? '081234567890'
  return html`<label class="full">
    ${t('ovo_phone')}
    <input name="phone" type="tel" autocomplete="off" required value="${phone}" />
  </label>`
}

function testCards({ t }: View): Html {
  return html`<details>
    <summary>${t('test_cards')}</summary>
    <table class="testcards">
      <tbody>
        ${TEST_CARDS.map(
          ({ number, behaviour }) =>
            html`<tr>
              <th scope="row">${grouped(number)}</th>
              <td>${t(`test_${behaviour}`)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`
}

/** What the payer typed, in the shape of a choice. */
export function choiceOf(form: URLSearchParams): Choice & { method: string } {
  const [month = '', year = ''] = (form.get('card_expiry') ?? '').split('/')
  const typed = form.has('card_number')
  return {
    method: form.get('method') ?? '',
    ...(typed && {
      card_number: (form.get('card_number') ?? '').replaceAll(/\s/g, ''),
      card_exp_month: month.trim(),
      card_exp_year: `20${year.trim()}`,
      card_cvv: form.get('card_cvv') ?? '',
    }),
    phone: form.get('phone') ?? undefined,
  }
}
