import { useSpeech } from '../../language.ts'
import { Keys } from './keys.tsx'
import { People } from './people.tsx'
import { Roles } from './roles.tsx'
import { Sessions } from './sessions.tsx'
import { useMay } from '../../parts/may.ts'

/** Who may do what here: people, roles, sessions and API keys. */
export function TeamPage() {
  const { say } = useSpeech()
  const manages = useMay().has('staff:manage')
  return (
    <>
      <h1>{say('page_team')}</h1>
      {manages && <People />}
      {manages && <Roles />}
      {manages && <Sessions />}
      <Keys />
    </>
  )
}
