import type { CheckoutInput } from '@gapura/sdk'
import { useState, type FormEvent } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useMay } from '../../parts/may.ts'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const HOUR = 60
const DAY = 24 * HOUR
const PERIODS = [
  [HOUR, 'link_hour'],
  [DAY, 'link_day'],
  [3 * DAY, 'link_3_days'],
  [7 * DAY, 'link_7_days'],
] as const

/** Without an owner it is the staff member's own. */
export type LinkInput = CheckoutInput & { owner_id?: string }

interface CreateLinkDialogProps {
  error: unknown
  busy: boolean
  create: (input: LinkInput) => void
  close: () => void
}

export function CreateLinkDialog({ error, busy, create, close }: CreateLinkDialogProps) {
  const { say } = useSpeech()
  const may = useMay()
  const [owner, setOwner] = useState('')
  const [typed, setTyped] = useState('')
  const [description, setDescription] = useState('')
  const [minutes, setMinutes] = useState(DAY)
  // Staff write 150.000 or Rp 150.000; only digits count.
  const amount = typed.replaceAll(/\D/g, '')
  const about = description.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create({
      amount,
      page_expiry_minutes: minutes,
      ...(about !== '' && { description: about }),
      ...(owner.trim() !== '' && { owner_id: owner.trim() }),
    })
  }
  return (
    <Dialog title={say('link_create_title')} close={close}>
      <form onSubmit={submit}>
        <div>
          <label>
            {say('link_amount')}
            <input
              inputMode="numeric"
              value={typed}
              maxLength={20}
              required
              pattern="[Rp 0-9.]*[1-9][0-9.]*"
              aria-describedby="link-amount"
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
          <p className="quiet small" id="link-amount">
            {amount === '' ? say('link_amount_hint') : rupiah(amount)}
          </p>
        </div>
        <label>
          {say('link_description')}
          <input
            value={description}
            maxLength={255}
            onChange={({ target }) => setDescription(target.value)}
          />
        </label>
        <Select
          label={say('link_period')}
          value={String(minutes)}
          options={PERIODS.map(([period, name]) => [String(period), say(name)] as const)}
          choose={(next) => setMinutes(Number(next))}
        />
        {may.has('staff:act') && <OwnerField owner={owner} change={setOwner} />}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={busy}>
            {say('link_create_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface OwnerFieldProps {
  owner: string
  change: (owner: string) => void
}

/** Whose link it is. Only staff who may act for every owner can name another. */
function OwnerField({ owner, change }: OwnerFieldProps) {
  const { say } = useSpeech()
  const { me } = useSession()
  return (
    <div>
      <label>
        {say('owner')}
        <input
          value={owner}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          placeholder={me.owner_id}
          aria-describedby="link-owner"
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <p className="quiet small" id="link-owner">
        {say('link_owner_hint')}
      </p>
    </div>
  )
}
