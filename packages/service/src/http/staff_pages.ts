import type { Caller } from '../domain/caller.ts'
import { listAlarms } from '../services/alarms/list_alarms.ts'
import type { Context } from '../services/context.ts'
import { listDeadEvents } from '../services/events/list_dead_events.ts'
import { listNotifications } from '../services/staff/list_notifications.ts'
import { listOperations } from '../services/staff/list_operations.ts'
import { listRefundRequests } from '../services/staff/list_refund_requests.ts'
import { listKeys } from '../services/staff/list_keys.ts'
import type { Cursor } from '../services/payments/list_payments.ts'
import {
  pageSizeOf,
  parseAlarmQuery,
  parseDeadEventQuery,
  parseKeyQuery,
  parseNotificationQuery,
  parseOperationQuery,
  parseRefundRequestQuery,
} from '../services/staff/staff_query.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { refuseValue } from './json_body.ts'

/** A page of a staff list. Cursors here, as in `listPayments`; nothing where there is no page. */
export interface StaffPage<Row> {
  next: string | null
  previous: string | null
  results: Row[]
}

export type StaffQuery = Readonly<Record<string, unknown>>

interface Found<Row> {
  next: Cursor | null
  previous: Cursor | null
  results: Row[]
}

const pageOf = <Row>({ next, previous, results }: Found<Row>): StaffPage<Row> => ({
  next: next && encodeCursor(next),
  previous: previous && encodeCursor(previous),
  results,
})

interface PageAsked {
  page_size: string | number | undefined
  cursor: string | undefined
}

const requestOf = ({ page_size, cursor }: PageAsked) => ({
  page_size: pageSizeOf(page_size),
  cursor: cursor === undefined ? null : decodeCursor(cursor),
})

export async function notificationPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor, attention, ...filters } = parseNotificationQuery(query)
  const request = requestOf({ page_size, cursor })
  const asked = { ...filters, attention: attention === true || attention === 'true' }
  return pageOf(await listNotifications(ctx, caller, asked, request))
}

export async function operationPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor, subject_id } = parseOperationQuery(query)
  const request = requestOf({ page_size, cursor })
  const filters = subject_id === undefined ? { open: true as const } : { subject_id }
  return pageOf(await listOperations(ctx, caller, filters, request))
}

export async function alarmPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor, closed, ...filters } = parseAlarmQuery(query)
  const request = requestOf({ page_size, cursor })
  const asked = { ...filters, closed: closed === true || closed === 'true' }
  return pageOf(await listAlarms(ctx, caller, asked, request))
}

export async function deadEventPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor, ...filters } = parseDeadEventQuery(query)
  const request = requestOf({ page_size, cursor })
  return pageOf(await listDeadEvents(ctx, caller, filters, request))
}

export async function refundRequestPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor, ...filters } = parseRefundRequestQuery(query)
  const request = requestOf({ page_size, cursor })
  return pageOf(await listRefundRequests(ctx, caller, filters, request))
}

export async function keyPage(ctx: Context, caller: Caller, query: StaffQuery) {
  refuseValue(query)
  const { page_size, cursor } = parseKeyQuery(query)
  return pageOf(await listKeys(ctx, caller, requestOf({ page_size, cursor })))
}
