import type { AlarmKind } from '../../domain/alarm.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAboutObject } from '../object_alarm.ts'

/** Opens an alarm about this payment. */
export async function alarmAbout(
  tx: Tx,
  { id, owner_id }: Pick<GatewayPayment, 'id' | 'owner_id'>,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await alarmAboutObject(tx, { subject_kind: 'payment', id, owner_id }, kind, detail)
}
