import type { Invoice } from '@gapura/sdk'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { QrCode } from '../../parts/qr_code.tsx'

/**
 * The link to copy, and a reminder in the staff member's own mail or WhatsApp: the service itself
 * sends nothing to customers.
 */
export function ShareInvoice({ invoice }: { invoice: Invoice }) {
  const { say, language } = useSpeech()
  const { payment_link_url: link, customer_email, customer_phone } = invoice
  const open = invoice.status === 'pending' || invoice.status === 'overdue'
  if (link === null || !open) return null
  const values = {
    number: invoice.invoice_number,
    amount: rupiah(invoice.total_amount),
    due: dayText(language, invoice.due_date),
    name: invoice.customer_name,
    link,
  }
  const subject = encodeURIComponent(say('invoice_remind_subject', values))
  const text = encodeURIComponent(say('invoice_remind_text', values))
  return (
    <section className="sheet">
      <h2>{say('invoice_link')}</h2>
      <Copyable what={say('invoice_link')} text={link} />
      <QrCode text={link} label={say('link_qr')} />
      <p className="share">
        <a href={`mailto:${customer_email}?subject=${subject}&body=${text}`}>
          {say('invoice_remind_mail')}
        </a>{' '}
        {customer_phone !== null && (
          <a href={`https://wa.me/${customer_phone}?text=${text}`} target="_blank" rel="noreferrer">
            {say('invoice_remind_whatsapp')}
          </a>
        )}
      </p>
    </section>
  )
}
