import type { EventFailure } from '../events/set_aside.ts'
import { startRelay, type RelayOptions, type SubscriberStats } from '../events/relay.ts'
import { busSubscriber } from '../events/bus.ts'
import type { Context } from '../services/context.ts'
import { sendDueExports, type ExportMail } from '../services/sweeps/send_exports.ts'
import { cellReadBudget } from '../services/sweeps/sweep_pages.ts'
import { openNats, type NatsSettings } from './optional_packages.ts'
import { openStaffChannels, type AlertSettings } from './staff_channels.ts'
import { startEndpoints, type WebhookSettings } from './webhook_endpoints.ts'
import { startRunner, type RunnerOptions, type RunnerState } from '../tasks/runner.ts'
import type { Timer } from '../tasks/timers.ts'

export interface WorkerOptions extends Omit<RunnerOptions, 'budget' | 'timers'> {
  subscribers: RelayOptions['subscribers']
  /**
   * Gateway reads per second that sweeps may make, of all cells together; 5 by default. The remaining
   * rate is for payers.
   */
  reads_per_second?: number
  relay?: Omit<RelayOptions, 'subscribers'>
  /** Where operator events reach people. */
  alerts?: AlertSettings | undefined
  /** Where browsers reach the service: with a channel of e-mail, scheduled exports are sent. */
  public_url?: string | undefined
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

const EXPORTS_EVERY_MS = 30_000

const exportTimers = (
  ctx: Context,
  public_url: string | undefined,
  send: ExportMail['send'] | undefined,
): Timer[] =>
  public_url === undefined || send === undefined
    ? []
    : [
        {
          name: 'send_exports',
          every_ms: EXPORTS_EVERY_MS,
          run: async () => await sendDueExports(ctx, { public_url, send }),
        },
      ]

/** The bus and the channels of staff, as far as they are set up. */
async function openSinks(
  { log }: Context,
  { nats, alerts }: Pick<WorkerOptions, 'nats' | 'alerts'>,
) {
  const bus = nats && (await openNats(nats, log))
  const staff = alerts && (await openStaffChannels(alerts, log))
  return {
    subscribers: [
      ...(bus ? [busSubscriber(NATS, nats.subject ?? 'gapura', bus)] : []),
      ...(staff?.subscribers ?? []),
    ],
    sendMail: staff?.sendMail,
    close: async (): Promise<void> => {
      await bus?.close()
      await staff?.close()
    },
  }
}

/** Everything that works without being called: events to subscribers, tasks, timers. */
export async function startWorker(
  ctx: Context,
  {
    subscribers,
    reads_per_second,
    relay: given,
    nats,
    alerts,
    public_url,
    webhooks,
    ...tasks
  }: WorkerOptions,
): Promise<RunningWorker> {
  const sinks = await openSinks(ctx, { nats, alerts })
  const relay = await startRelay(ctx.db, {
    onTrouble: (subscriber, error) =>
      ctx.log.warn({ subscriber, error: error instanceof Error ? error.name : 'unknown' }, 'relay'),
    onFailure: (failure) => logFailure(ctx, failure),
    ...telemetryOf(ctx),
    ...given,
    subscribers: [...subscribers, ...sinks.subscribers],
  })
  const endpoints = startEndpoints(ctx, relay, webhooks)
  const stopRelay = async (): Promise<void> => {
    await endpoints.stopWith(relay.stop)
    await sinks.close()
  }
  try {
    const timers = exportTimers(ctx, public_url, sinks.sendMail)
    const runner = await startRunner(ctx, {
      ...tasks,
      timers,
      budget: cellReadBudget(ctx, reads_per_second),
    })
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
