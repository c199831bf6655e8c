import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useAnnounce } from './announcer.tsx'

interface Deed<Input, Result> {
  act: (input: Input) => Promise<Result>
  /** What to say once it is done. */
  done: (result: Result, input: Input) => string
  /** What is out of date then. */
  changes: readonly string[]
}

/** Something that is done, said, and shown without a reload. */
export function useAct<Input, Result>({ act, done, changes }: Deed<Input, Result>) {
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
