import { useMutation } from '@tanstack/react-query'
import { jakartaDay } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { queryOf, type PaymentSearch } from './payment_search.ts'

/** Saves a file of exactly what the filters show. */
export function useExport(search: PaymentSearch) {
  const { say } = useSpeech()
  const { client } = useSession()
  const announce = useAnnounce()
  return useMutation({
    mutationFn: async (ending: 'csv' | 'xlsx') => {
      const { payments } = client.staff
      const query = queryOf(search)
      const stream = await (ending === 'csv' ? payments.export(query) : payments.exportXlsx(query))
      // The browser keeps a long one on disk.
      return await new Response(stream).blob()
    },
    onSuccess: (blob, ending) => {
      const name = `payments-${jakartaDay()}.${ending}`
      save(blob, name)
      announce(say('exported', { name }))
    },
  })
}

export function ExportButton({ search }: { search: PaymentSearch }) {
  const { say } = useSpeech()
  const exporting = useExport(search)
  return (
    <>
      <button type="button" disabled={exporting.isPending} onClick={() => exporting.mutate('csv')}>
        {say(exporting.isPending ? 'exporting' : 'export')}
      </button>
      <button type="button" disabled={exporting.isPending} onClick={() => exporting.mutate('xlsx')}>
        {say('export_xlsx')}
      </button>
      {exporting.isError && <Trouble error={exporting.error} />}
    </>
  )
}

/** A failure is shown in the page, which a plain link could not do. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
