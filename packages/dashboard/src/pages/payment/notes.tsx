import type { StaffPayment } from '@gapura/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

export function Notes({ detail }: { detail: StaffPayment }) {
  const { say } = useSpeech()
  const may = useMay()
  if (detail.notes.length === 0 && !may.has('staff:act')) return null
  return (
    <section className="sheet">
      <h2>{say('notes')}</h2>
      <ul className="notes">
        {detail.notes.map((note) => (
          <li key={note.id}>
            <p>{note.text}</p>
            <p className="quiet small">
              {note.author}, <Moment at={note.created_at} />
            </p>
          </li>
        ))}
      </ul>
      {may.has('staff:act') && <NewNote id={detail.payment.id} />}
    </section>
  )
}

function NewNote({ id }: { id: string }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const announce = useAnnounce()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const adding = useMutation({
    mutationFn: async () => await client.staff.payments.note(id, { text }),
    onSuccess: async () => {
      setText('')
      announce(say('note_added'))
      await queries.invalidateQueries({ queryKey: ['payment', id] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') adding.mutate()
  }
  return (
    <>
      {adding.isError && <Trouble error={adding.error} />}
      <form className="note-form" onSubmit={submit}>
        <label>
          {say('note_new')}
          <textarea
            rows={2}
            maxLength={2_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <button type="submit" disabled={adding.isPending}>
          {say('note_add')}
        </button>
      </form>
    </>
  )
}
