import type { Invoice } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { dayText, grouped, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { PaymentsOf } from '../../parts/payments_of.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { ShareInvoice } from './share_invoice.tsx'

const route = getRouteApi('/invoices/$id')

export function InvoicePage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['invoice', id],
    queryFn: async ({ signal }) => await client.invoices.get(id, { signal }),
    staleTime: 30_000,
  })
  return (
    <>
      <BackLink to="/invoices">{say('back_to_invoices')}</BackLink>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown invoice={asked.data} />}
    </>
  )
}

function Shown({ invoice }: { invoice: Invoice }) {
  const { say } = useSpeech()
  return (
    <article>
      <header className="headline">
        <h1>{rupiah(invoice.total_amount)}</h1>
        <Pill group="invoice" state={invoice.is_overdue ? 'overdue' : invoice.status} />
        <span className="quiet order">{invoice.invoice_number}</span>
      </header>
      <VoidAction invoice={invoice} />
      <div className="columns">
        <div>
          <InvoiceFacts invoice={invoice} />
        </div>
        <div>
          <section className="sheet">
            <h2>{say('items')}</h2>
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
                {invoice.items.map((item) => (
                  <tr key={item.id}>
                    <td>{item.description}</td>
                    <td className="amount">{item.quantity}</td>
                    <td className="amount">{rupiah(item.subtotal)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <ShareInvoice invoice={invoice} />
          <PaymentsOf title={say('payments_of')} filter={{ invoice_id: invoice.id }} />
        </div>
      </div>
    </article>
  )
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { say, language } = useSpeech()
  return (
    <section className="sheet">
      <h2>{say('invoice')}</h2>
      <Facts
        facts={[
          [say('customer'), invoice.customer_name],
          [say('email'), invoice.customer_email],
          [say('phone'), invoice.customer_phone],
          [say('invoice_date'), dayText(language, invoice.invoice_date)],
          [say('due_date'), dayText(language, invoice.due_date)],
          [say('paid_at'), invoice.paid_at && <Moment at={invoice.paid_at} />],
          [say('invoice_notes'), invoice.notes],
          [say('invoice_void_reason'), invoice.void_reason],
          ...invoice.virtual_accounts.map(
            ({ name, number }) =>
              [
                name,
                <Copyable key={number} what={name} text={number} shown={grouped(number)} />,
              ] as const,
          ),
          [
            say('order_id'),
            <Copyable key="order" what={say('order_id')} text={invoice.order_id} />,
          ],
          [say('created'), <Moment key="created" at={invoice.created_at} />],
        ]}
      />
    </section>
  )
}

function VoidAction({ invoice }: { invoice: Invoice }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const { id, status, invoice_number: number, customer_name: payee } = invoice
  const amount = rupiah(invoice.total_amount)
  const voiding = useAct({
    act: async (reason: string) => await client.staff.invoices.void(id, { reason }),
    done: () => say('invoice_voided_done'),
    changes: ['invoice', 'invoices'],
  })
  if (status !== 'pending' && status !== 'overdue') return null
  if (!may.actOn('invoices:write')) return null
  return (
    <section className="actions" aria-label={say('actions')}>
      <button type="button" onClick={() => setAsking(true)}>
        {say('invoice_void')}
      </button>
      {asking && (
        <ReasonDialog
          title={say('invoice_void_ask', { number, amount, payee })}
          confirm={say('invoice_void_do', { amount })}
          review={[
            [say('invoice_number'), number],
            [say('column_amount'), amount],
            [say('customer'), payee],
          ]}
          effect={say('effect_of_void')}
          dismiss={say('keep_invoice')}
          error={voiding.error}
          busy={voiding.isPending}
          act={(reason) => voiding.mutate(reason, { onSuccess: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </section>
  )
}
