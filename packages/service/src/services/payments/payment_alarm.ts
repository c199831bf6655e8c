import type { AlarmKind } from '../../domain/alarm.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { openAlarm } from '../../store/alarms.ts'
import { newId } from '../../store/ids.ts'
import type { Tx } from '../../store/transaction.ts'

/** Tells a person to look at this payment. Once for each kind: seen again is the same trouble. */
export async function alarmAbout(
  tx: Tx,
  { id, owner_id }: Pick<GatewayPayment, 'id' | 'owner_id'>,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await openAlarm(tx, {
    id: newId(),
    kind,
    subject_kind: 'payment',
    subject_id: id,
    owner_id,
    detail,
  })
}
