import type { Overview } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayText, jakartaDay, numberText, rupiah, shareText } from '../../format.ts'
import { useSpeech, type TextName } from '../../language.ts'
import { DayField } from '../../parts/day_field.tsx'
import { Defined } from '../../parts/defined.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { Costs } from './costs.tsx'
import { Days } from './days.tsx'
import { Failures } from './failures.tsx'
import { sumOf, wholeOf } from './figures.ts'
import { Methods } from './methods.tsx'

const route = getRouteApi('/overview')

const SPANS = [7, 30, 90] as const

export function OverviewPage() {
  const { say } = useSpeech()
  const { client } = useSession()
  const search = route.useSearch()
  const asked = useQuery({
    queryKey: ['overview', search],
    queryFn: async ({ signal }) => await client.staff.overview.get(search, { signal }),
    staleTime: 30_000,
  })
  const { data } = asked
  return (
    <>
      <h1>{say('page_overview')}</h1>
      <Period from={data?.from} until={data?.until} />
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {data && (
        <>
          <Figures overview={data} />
          <Days overview={data} />
          <Methods overview={data} />
          <Failures overview={data} />
          <Costs overview={data} />
        </>
      )}
    </>
  )
}

function Period({ from, until }: { from: string | undefined; until: string | undefined }) {
  const { say, word } = useSpeech()
  const navigate = useNavigate()
  const set = (first: string | undefined, last: string | undefined): void =>
    void navigate({
      to: '/overview',
      search: { ...(first && { from: first }), ...(last && { until: last }) },
    })
  return (
    <div className="filters">
      <DayField label={say('filter_from')} day={from} choose={(day) => set(day, until)} />
      <DayField label={say('filter_until')} day={until} choose={(day) => set(from, day)} />
      {SPANS.map((days) => (
        <button
          key={days}
          type="button"
          className="span"
          onClick={() => set(jakartaDay(1 - days), jakartaDay())}
        >
          {word('period', String(days))}
        </button>
      ))}
    </div>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { say, language } = useSpeech()
  const { received, refunds, overdue, previous } = overview
  const period = {
    from: dayText(language, previous.from),
    until: dayText(language, previous.until),
  }
  const { created, paid, open } = wholeOf(overview)
  const count = received.reduce((sum, row) => sum + row.count, 0)
  return (
    <>
      <div className="cards">
        <Card name="received" meaning="received_def">
          {rupiah(sumOf(received))}
          <Change now={Number(sumOf(received))} before={Number(previous.received)} />
        </Card>
        <Card name="paid_count" meaning="paid_count_def">
          {numberText(language, count)}
          <Change now={count} before={previous.payments} />
        </Card>
        <Card name="success" meaning="success_def">
          {shareText(language, paid, created - open)}
        </Card>
        <Card name="refunded" meaning="refunded_def">
          {rupiah(sumOf(refunds))}
          <Change now={Number(sumOf(refunds))} before={Number(previous.refunded)} />
        </Card>
        <Card name="overdue" meaning="overdue_def">
          {overdue.count >= 100 ? '100+' : numberText(language, overdue.count)}{' '}
          {overdue.count > 0 && (
            <Link className="small" to="/payments" search={{ overdue: 'true' }}>
              {say('overdue_show')}
            </Link>
          )}
        </Card>
      </div>
      <p className="quiet small compared">{say('compared_with', period)}</p>
    </>
  )
}

/** Against the period before, which the line below the cards names. */
function Change({ now, before }: { now: number; before: number }) {
  const { say, language } = useSpeech()
  if (before === 0) return <span className="change">{now === 0 ? '' : say('change_new')}</span>
  const share = shareText(language, Math.abs(now - before), before)
  const name = now > before ? 'change_up' : now < before ? 'change_down' : 'change_same'
  return <span className="change">{say(name, { share })}</span>
}

interface CardProps {
  name: TextName
  meaning: TextName
  children: ReactNode
}

function Card({ name, meaning, children }: CardProps) {
  const { say } = useSpeech()
  return (
    <section className="sheet card">
      <h2>
        <Defined term={say(name)} meaning={say(meaning)} />
      </h2>
      <p className="figure">{children}</p>
    </section>
  )
}
