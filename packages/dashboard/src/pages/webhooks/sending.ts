import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../parts/act_hook.ts'

/** A worker sends within seconds, and the pulse does not show it: the log is read at these times. */
const LOOK_AFTER_MS = [1_500, 4_000, 10_000] as const

interface SendingOptions<Input, Result> {
  act: (input: Input) => Promise<Result>
  done: (result: Result, input: Input) => string
}

/** Reads the log and the endpoint again. */
export function useLook(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const key of ['deliveries', 'webhook']) {
      void queries.invalidateQueries({ queryKey: [key] })
    }
  }
}

/** An action after which the log of deliveries grows. */
export function useSending<Input, Result>({ act, done }: SendingOptions<Input, Result>) {
  const look = useLook()
  return useAct({
    act: async (input: Input) => {
      const result = await act(input)
      for (const ms of LOOK_AFTER_MS) setTimeout(look, ms)
      return result
    },
    done,
    changes: [],
  })
}
