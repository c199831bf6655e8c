import type { EventFailure } from '../events/set_aside.ts'
import { startRelay, type RelayOptions, type SubscriberStats } from '../events/relay.ts'
import { busSubscriber } from '../events/bus.ts'
import type { Context } from '../services/context.ts'
import { readBudget } from '../services/sweeps/sweep_pages.ts'
import { openNats, type NatsSettings } from './optional_packages.ts'
import { openStaffChannels, type AlertSettings } from './staff_channels.ts'
import { startEndpoints, type WebhookSettings } from './webhook_endpoints.ts'
import { startRunner, type RunnerOptions, type RunnerState } from '../tasks/runner.ts'

export interface WorkerOptions extends Omit<RunnerOptions, 'budget'> {
  subscribers: RelayOptions['subscribers']
  /** Gateway reads per second that sweeps may make; the remaining rate is for payers. */
  reads_per_second?: number
  relay?: Omit<RelayOptions, 'subscribers'>
  /** Where operator events reach people. */
  alerts?: AlertSettings | undefined
  /** What endpoints of webhooks need beside their key. */
  webhooks?: WebhookSettings | undefined
  /** The message bus that every event is published to, if there is one. */
  nats?: NatsSettings | undefined
}

export interface RunningWorker {
  /** In good order: running handlers and jobs end first, leases are given back. May repeat. */
  stop: () => Promise<void>
  state: () => RunnerState
  stats: () => SubscriberStats[]
}

/** The name of the bus among the subscribers: its position in the outbox belongs to it. */
const NATS = 'nats'

export const READS_PER_SECOND = 5

/** The first failure and the last: the attempts between them say nothing new. */
function logFailure({ log }: Context, { dead, ...failure }: EventFailure): void {
  if (dead) log.error(failure, 'event dead: no further attempt, see gapura events list')
  else if (failure.attempts === 1) log.warn(failure, 'event handler failed, and is retried')
}

/** Traces and delays of deliveries. */
const telemetryOf = ({ telemetry }: Context): Pick<RelayOptions, 'trace' | 'delivered'> =>
  telemetry === undefined
    ? {}
    : {
        trace: telemetry.trace,
        delivered: (subscriber, delay_ms) =>
          telemetry.record({ kind: 'delivery', subscriber, delay_ms }),
      }

/** Everything that works without being called: events to subscribers, tasks, timers. */
export async function startWorker(
  ctx: Context,
  {
    subscribers,
    reads_per_second = READS_PER_SECOND,
    relay: given,
    nats,
    alerts,
    webhooks,
    ...tasks
  }: WorkerOptions,
): Promise<RunningWorker> {
  const bus = nats && (await openNats(nats, ctx.log))
  const staff = alerts && (await openStaffChannels(alerts, ctx.log))
  const sinks = [
    ...(bus ? [busSubscriber(NATS, nats.subject ?? 'gapura', bus)] : []),
    ...(staff?.subscribers ?? []),
  ]
  const closeSinks = async (): Promise<void> => {
    await bus?.close()
    await staff?.close()
  }
  const relay = await startRelay(ctx.db, {
    onTrouble: (subscriber, error) =>
      ctx.log.warn({ subscriber, error: error instanceof Error ? error.name : 'unknown' }, 'relay'),
    onFailure: (failure) => logFailure(ctx, failure),
    ...telemetryOf(ctx),
    ...given,
    subscribers: [...subscribers, ...sinks],
  })
  const endpoints = startEndpoints(ctx, relay, webhooks)
  const stopRelay = async (): Promise<void> => {
    await endpoints.stopWith(relay.stop)
    await closeSinks()
  }
  try {
    const runner = await startRunner(ctx, { ...tasks, budget: readBudget(reads_per_second) })
    return {
      stop: async () => {
        await Promise.all([runner.stop(), stopRelay()])
      },
      state: runner.state,
      stats: relay.stats,
    }
  } catch (error) {
    await stopRelay()
    throw error
  }
}
