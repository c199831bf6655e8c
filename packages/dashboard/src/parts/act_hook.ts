import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useAnnounce } from './announcer.tsx'

interface ActOptions<Input, Result> {
  act: (input: Input) => Promise<Result>
  /** The text that is announced on success. */
  done: (result: Result, input: Input) => string
  /** Keys of the queries to read again. */
  changes: readonly string[]
}

/** A mutation that announces its success and refreshes the affected queries. */
export function useAct<Input, Result>({ act, done, changes }: ActOptions<Input, Result>) {
  const announce = useAnnounce()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, input) => {
      announce(done(result, input))
      for (const key of changes) await queries.invalidateQueries({ queryKey: [key] })
    },
  })
}
