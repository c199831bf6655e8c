import type { StaffPayment } from '@gapura/sdk'
import { Link } from '@tanstack/react-router'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ShownToPayer } from './shown_to_payer.tsx'

export const Details = ({ detail }: { detail: StaffPayment }) => (
  <>
    <Amounts detail={detail} />
    <Customer detail={detail} />
    <ShownToPayer payment={detail.payment} />
    <Items detail={detail} />
    <Refunds detail={detail} />
    <Reference detail={detail} />
  </>
)

interface Part {
  detail: StaffPayment
}

function Amounts({ detail: { payment, refund, expected } }: Part) {
  const { say } = useSpeech()
  const { charged_back_amount: amount } = payment
  const known = amount === '0.00' ? null : amount && rupiah(amount)
  const chargedBack = amount === null ? say('amount_not_reported') : known
  return (
    <section className="sheet">
      <h2>{say('amounts')}</h2>
      <Facts
        facts={[
          [say('amount_gross'), rupiah(payment.gross_amount)],
          [say('amount_captured'), rupiah(payment.captured_amount)],
          [say('amount_refunded'), rupiah(payment.refund_amount)],
          [say('amount_charged_back'), chargedBack],
          [say('amount_net'), rupiah(payment.net_amount)],
          [say('expected_fee'), expected.expected_fee && rupiah(expected.expected_fee)],
          [say('expected_vat'), expected.expected_vat && rupiah(expected.expected_vat)],
          [say('expected_net'), expected.expected_net && rupiah(expected.expected_net)],
          [say('amount_refundable'), refund.allowed ? rupiah(refund.refundable_amount) : null],
        ]}
      />
      <p className="foot">
        <Link to="/finance/journal" search={{ payment_id: payment.id }}>
          {say('ledger_of_payment')}
        </Link>
      </p>
    </section>
  )
}

function Customer({ detail: { payment, owner_id } }: Part) {
  const { say } = useSpeech()
  const { customer_email, customer_phone } = payment
  const name = [payment.customer_first_name, payment.customer_last_name].filter(Boolean).join(' ')
  return (
    <section className="sheet">
      <h2>{say('customer')}</h2>
      <Facts
        facts={[
          [say('name'), name],
          [
            say('email'),
            customer_email && (
              <Link to="/customer" search={{ email: customer_email }}>
                {customer_email}
              </Link>
            ),
          ],
          [
            say('phone'),
            customer_phone && (
              <Link to="/customer" search={{ phone: customer_phone }}>
                {customer_phone}
              </Link>
            ),
          ],
          [say('owner'), owner_id],
        ]}
      />
    </section>
  )
}

function Items({ detail: { payment } }: Part) {
  const { say } = useSpeech()
  return (
    <section className="sheet">
      <h2>{say('items')}</h2>
      {payment.items.length === 0 ? (
        <p className="quiet">{say('no_items')}</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">{say('item')}</th>
              <th scope="col" className="amount">
                {say('quantity')}
              </th>
              <th scope="col" className="amount">
                {say('subtotal')}
              </th>
            </tr>
          </thead>
          <tbody>
            {payment.items.map((item) => (
              <tr key={item.id}>
                <td>{item.name}</td>
                <td className="amount">{item.quantity}</td>
                <td className="amount">{rupiah(item.subtotal)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Refunds({ detail: { payment } }: Part) {
  const { say } = useSpeech()
  if (payment.refunds.length === 0) return null
  return (
    <section className="sheet">
      <h2>{say('refunds')}</h2>
      <ul className="refunds">
        {payment.refunds.map((refund) => (
          <li key={refund.id}>
            <strong>{rupiah(refund.amount)}</strong> <Pill group="refund" state={refund.status} />
            <br />
            <span className="quiet">
              <Moment at={refund.created_at} />
              {refund.reason !== null && refund.reason !== '' && ` · ${refund.reason}`}
              {refund.source === 'outside' &&
                ` · ${say('source_outside')}, ${refund.reference ?? ''}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Reference({ detail }: Part) {
  const { say } = useSpeech()
  const { payment, subscription_id, invoice_id } = detail
  const copied = (what: string, text: string | null) => text && <Copyable what={what} text={text} />
  return (
    <section className="sheet">
      <h2>{say('reference')}</h2>
      <Facts
        facts={[
          [say('payment_id'), copied(say('payment_id'), payment.id)],
          [say('order_id'), copied(say('order_id'), payment.order_id)],
          [say('transaction_id'), copied(say('transaction_id'), payment.transaction_id)],
          [say('created'), <Moment key="created" at={payment.created_at} />],
          [say('paid_at'), payment.paid_at && <Moment at={payment.paid_at} />],
          [say('settled_at'), payment.settlement_time && <Moment at={payment.settlement_time} />],
          // Of a paid payment it would only alarm.
          [
            say('expires'),
            payment.paid_at === null && payment.expiry_time && (
              <Moment at={payment.expiry_time} away />
            ),
          ],
          [say('next_check'), detail.next_check_at && <Moment at={detail.next_check_at} away />],
          [
            say('part_of_subscription'),
            subscription_id && (
              <Link to="/payments" search={{ subscription_id }}>
                {subscription_id}
              </Link>
            ),
          ],
          [
            say('part_of_invoice'),
            invoice_id && (
              <Link to="/payments" search={{ invoice_id }}>
                {invoice_id}
              </Link>
            ),
          ],
          [
            say('metadata'),
            Object.keys(payment.metadata).length > 0 && (
              <pre tabIndex={0}>{JSON.stringify(payment.metadata, null, 2)}</pre>
            ),
          ],
        ]}
      />
    </section>
  )
}
