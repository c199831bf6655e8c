import type { StaffPayment } from '@gapura/sdk'

export type ActionName = StaffPayment['actions'][number]['name']
