import type { StaffHealthReport } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { awayText, numberText, spanText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Moment } from '../../parts/moment.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { Alarms } from './alarms.tsx'
import { DeadEvents } from './dead_events.tsx'
import { HeldRefunds } from './held_refunds.tsx'
import { Operations } from './operations.tsx'

const FRESH_MS = 5_000

export function HealthPage() {
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }) => await client.staff.health.get({ signal }),
    refetchInterval: FRESH_MS,
  })
  return (
    <>
      <h1>{say('page_health')}</h1>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Cards health={asked.data} />}
      <Alarms />
      <HeldRefunds />
      <Operations />
      {asked.data && <Subscribers health={asked.data} />}
      <DeadEvents />
    </>
  )
}

interface CardProps {
  title: string
  bad?: boolean
  children: ReactNode
}

const Card = ({ title, bad = false, children }: CardProps) => (
  <section className={`sheet card ${bad ? 'bad' : ''}`}>
    <h2>{title}</h2>
    <div className="figure small-figure">{children}</div>
  </section>
)

/** A queue with an older entry is marked as bad. */
const OLD_S = 600

function Cards({ health }: { health: StaffHealthReport }) {
  const { say, language } = useSpeech()
  const waiting = (title: string, waits: StaffHealthReport['jobs']) => (
    <Card title={title} bad={waits !== null && waits.oldest_s > OLD_S}>
      {waits === null ? '–' : waits.count >= 100 ? '100+' : numberText(language, waits.count)}
      {waits !== null && waits.count > 0 && (
        <p className="quiet small">{say('oldest', { time: spanText(language, waits.oldest_s) })}</p>
      )}
    </Card>
  )
  return (
    <div className="cards tight">
      <Card title={say('gateway_line')} bad={health.breaker.open}>
        {say(health.breaker.open ? 'gateway_open' : 'gateway_ok')}
      </Card>
      <Card title={say('last_webhook')}>
        {health.last_notification_at === null
          ? '–'
          : awayText(language, health.last_notification_at)}
        <p className="quiet small">
          <Moment at={health.last_notification_at} />
        </p>
      </Card>
      {waiting(say('open_operations'), health.operations)}
      {waiting(say('overdue'), health.overdue)}
      {waiting(say('due_checks'), health.checks)}
      {waiting(say('waiting_jobs'), health.jobs)}
      <Card title={say('workers')} bad={health.workers.length === 0}>
        {health.workers.length === 0 ? say('none') : numberText(language, health.workers.length)}
        {health.workers.map(({ id, silent_ms }) => (
          <p key={id} className="quiet small">
            {say('worker_silent', { time: spanText(language, silent_ms / 1_000) })}
          </p>
        ))}
      </Card>
    </div>
  )
}

function Subscribers({ health: { subscribers } }: { health: StaffHealthReport }) {
  const { say, language } = useSpeech()
  if (subscribers.length === 0) return null
  return (
    <section className="sheet block">
      <h2>{say('subscribers')}</h2>
      <table className="plain" aria-label={say('subscribers')}>
        <thead>
          <tr>
            <th scope="col">{say('subscriber')}</th>
            <th scope="col" className="amount">
              {say('lag')}
            </th>
            <th scope="col" className="amount">
              {say('dead')}
            </th>
          </tr>
        </thead>
        <tbody>
          {subscribers.map(({ subscriber, lag_s, dead }) => (
            <tr key={subscriber}>
              <td>{subscriber}</td>
              <td className="amount">{spanText(language, lag_s)}</td>
              <td className="amount">{numberText(language, dead)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
