import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { isSignedOut } from './client.ts'
import { firstLanguage, keepLanguage, SpeechContext, speechIn } from './language.ts'
import { Announcer } from './parts/announcer.tsx'
import { router } from './router.tsx'
import { Gate } from './session.tsx'

/** A session that was ended elsewhere leads to the sign-in page, whichever request learns of it. */
const onError = (error: unknown): void => {
  if (isSignedOut(error)) void queries.invalidateQueries({ queryKey: ['sign_in'] })
}

// The SDK retries already; a second layer of retries would only delay failures.
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 2_000 }, mutations: { retry: false } },
})

export function App() {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const speech = useMemo(
    () =>
      speechIn(language, (next) => {
        keepLanguage(next)
        setLanguage(next)
      }),
    [language],
  )
  return (
    <SpeechContext value={speech}>
      <QueryClientProvider client={queries}>
        <Announcer>
          <Gate>
            <RouterProvider router={router} />
          </Gate>
        </Announcer>
      </QueryClientProvider>
    </SpeechContext>
  )
}
