import type { FaultRule } from '../world/faults.ts'
import type { View } from './view.ts'

/** A rule without applications left is inactive. */
export const isActive = ({ times }: FaultRule): boolean => times !== 0

/** "delay on charge, 3 more": each active rule, in one line. */
export const activeFaults = (view: View): string[] =>
  view.world.faults
    .list()
    .filter(isActive)
    .map((rule) => ruleText(view, rule))

export function ruleText({ t }: View, rule: FaultRule): string {
  const { effect, operation, order_id_prefix, transaction_status, times, probability } = rule
  return [
    operation === undefined ? effect : t('fault_on', { effect, operation }),
    order_id_prefix !== undefined && t('fault_prefix', { prefix: order_id_prefix }),
    transaction_status !== undefined && `transaction_status ${transaction_status}`,
    probability < 1 && t('fault_rate', { percent: Math.round(probability * 100) }),
    times !== null && t('fault_left', { count: times }),
  ]
    .filter((part) => part !== false)
    .join(', ')
}
