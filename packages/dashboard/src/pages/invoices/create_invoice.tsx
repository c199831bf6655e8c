import type { InvoiceInput } from '@gapura/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type InputHTMLAttributes } from 'react'
import { jakartaDay, rupiah } from '../../format.ts'
import { useSpeech, type TextName } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useMay } from '../../parts/may.ts'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const DUE_DAYS = 7

/** The button and its form; a new invoice opens, with its link to copy. */
export function CreateInvoice() {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const creating = useAct({
    act: async (input: InvoiceInput) => await client.invoices.create(input),
    done: () => say('invoice_created'),
    changes: ['invoices'],
  })
  if (!may.has('invoices:write')) return null
  const opened = ({ id }: { id: string }): void =>
    void navigate({ to: '/invoices/$id', params: { id } })
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('invoice_create')}
      </button>
      {open && (
        <InvoiceDialog
          error={creating.error}
          busy={creating.isPending}
          create={(input) => creating.mutate(input, { onSuccess: opened })}
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface InvoiceDialogProps {
  error: unknown
  busy: boolean
  create: (input: InvoiceInput) => void
  close: () => void
}

const EMPTY = { name: '', email: '', phone: '', item: '', price: '', due: jakartaDay(DUE_DAYS) }

type FieldName = keyof typeof EMPTY

type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'maxLength' | 'inputMode' | 'pattern' | 'min'
>

const FIELDS: readonly (readonly [FieldName, TextName, Attributes])[] = [
  ['name', 'invoice_customer', { maxLength: 40 }],
  ['email', 'email', { type: 'email', maxLength: 255 }],
  ['phone', 'invoice_phone', { inputMode: 'tel', maxLength: 20 }],
  ['item', 'invoice_item', { maxLength: 150 }],
  ['price', 'refund_amount', { inputMode: 'numeric', pattern: '[Rp 0-9.]*[1-9][0-9.]*' }],
  ['due', 'due_date', { type: 'date', min: jakartaDay() }],
]

/** One item: a shop bills longer lists through the interface. */
function InvoiceDialog({ error, busy, create, close }: InvoiceDialogProps) {
  const { say } = useSpeech()
  const [typed, setTyped] = useState(EMPTY)
  const price = typed.price.replaceAll(/\D/g, '')
  // The interface takes the country code without a plus: 0812… is 62812….
  const phone = typed.phone.replaceAll(/\D/g, '').replace(/^0+/, '62')
  const hints: Partial<Record<FieldName, string>> = {
    email: say('invoice_mailed'),
    price: price === '' ? say('link_amount_hint') : rupiah(price),
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create({
      customer_name: typed.name.trim(),
      customer_email: typed.email.trim(),
      ...(phone !== '' && { customer_phone: phone }),
      due_date: typed.due,
      items: [{ description: typed.item.trim(), price: Number(price) }],
    })
  }
  return (
    <Dialog title={say('invoice_create_title')} close={close}>
      <form onSubmit={submit}>
        {FIELDS.map(([name, label, rest]) => (
          <div key={name}>
            <label>
              {say(label)}
              <input
                value={typed[name]}
                required={name !== 'phone'}
                aria-describedby={name in hints ? `invoice-${name}` : undefined}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
                {...rest}
              />
            </label>
            {hints[name] !== undefined && (
              <p className="quiet small" id={`invoice-${name}`}>
                {hints[name]}
              </p>
            )}
          </div>
        ))}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={busy}>
            {say('invoice_create_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
