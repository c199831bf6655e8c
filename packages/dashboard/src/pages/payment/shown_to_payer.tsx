import type { Payment } from '@gapura/sdk'
import { grouped } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { QrCode } from '../../parts/qr_code.tsx'

/** The numbers and codes as the customer sees them. */
export function ShownToPayer({ payment }: { payment: Payment }) {
  const { say, word } = useSpeech()
  const number = (what: string, digits: string | null) =>
    digits && <Copyable what={what} text={digits} shown={grouped(digits)} />
  const { redirect_url, deeplink_url, qr_string, bank, store, masked_card } = payment
  const link = redirect_url ?? deeplink_url
  return (
    <section className="sheet">
      <h2>{say('shown_to_payer')}</h2>
      <Facts
        facts={[
          [say('column_method'), word('type', payment.payment_type)],
          [say('bank'), bank?.toUpperCase()],
          [say('store'), store],
          [say('card'), masked_card],
          [say('va_number'), number(say('va_number'), payment.va_number)],
          [say('biller_code'), number(say('biller_code'), payment.biller_code)],
          [say('bill_key'), number(say('bill_key'), payment.bill_key)],
          [say('payment_code'), number(say('payment_code'), payment.payment_code)],
          [say('payer_link'), link && <Copyable what={say('payer_link')} text={link} />],
        ]}
      />
      {qr_string && <QrCode text={qr_string} label={say('qr_code')} />}
    </section>
  )
}
