import type { AlarmKind } from '../../domain/alarm.ts'
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { isFoundByOrderId } from '../../domain/payment_type.ts'
import { parseChargeRequest } from '../../gateway/wire/charge_requests.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { recordUnclear } from './record_operation.ts'
import { recordCharged, recordRefused, type Attempted } from '../payments/charge_recorded.ts'
import { alarmAbout } from '../payments/payment_alarm.ts'
import { lookForCharge } from '../payments/look_for_charge.ts'
import { RESOLVE_AFTER_MS, withInstructions } from '../payments/send_charge.ts'
import type { Due } from './due.ts'
import { ALARM_AFTER_MS, lookAgainIn } from './look_again.ts'

/** Ends an unclear charge by looking. It is never sent again from here. */
export async function resolveCharge(ctx: Context, due: Due): Promise<void> {
  const { payment, operation, quiet_ms, age_ms } = due
  const attempted = { payment, operation, source: 'resolver' as const }
  const sighting = await lookForCharge(ctx, payment)
  switch (sighting.kind) {
    case 'ours': {
      const payload = parseChargeRequest(operation.request)
      const found =
        payload === undefined
          ? { attempted, facts: sighting.facts }
          : await withInstructions(ctx, attempted, payload, sighting.facts)
      await recordCharged(ctx, found.attempted, found.facts)
      return
    }
    case 'stranger':
      await giveUp(ctx, attempted, 'gateway_duplicate')
      return
    case 'nothing':
      if (quiet_ms < RESOLVE_AFTER_MS)
        await recordUnclear(ctx, attempted.operation, lookAgainIn(due, true))
      else await giveUp(ctx, attempted, 'gateway_failed')
      return
    case 'unknown': {
      // DANA cannot be looked up by its order id, so nobody but a person can end it.
      const hopeless = !isFoundByOrderId(payment)
      await recordUnclear(ctx, attempted.operation, lookAgainIn(due, hopeless))
      if (age_ms > ALARM_AFTER_MS || hopeless) await tell(ctx, payment, 'outcome_unknown')
    }
  }
}

/** The refusal is on record; nobody is there to be told it. */
async function giveUp(ctx: Context, attempted: Attempted, code: ErrorCode): Promise<void> {
  const error = gatewayError(code, { operation: 'charge' })
  try {
    await recordRefused(ctx, attempted, error, null)
  } catch (refusal) {
    if (refusal !== error) throw refusal
  }
}

const tell = async (ctx: Context, payment: GatewayPayment, kind: AlarmKind): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await alarmAbout(tx, payment, kind, `charge of ${payment.order_id}`)
  })
}
