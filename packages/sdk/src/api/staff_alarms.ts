// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { Alarm } from './alarm.ts'
import type { ReasonInput } from './reason_input.ts'
import type { AlarmKind } from './unions.ts'

export interface StaffAlarmListQuery {
  /** Only alarms of this kind. */
  kind?: AlarmKind
  /** Only alarms about this object. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subject_id?: string
  /** Also alarms that are closed. */
  closed?: boolean | 'true' | 'false'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffAlarms {
  /**
   * List open alarms, or the closed ones with them. For staff. Needs the scope `staff:read`.
   * `GET /staff/alarms/`
   */
  list: (query?: StaffAlarmListQuery, options?: CallOptions) => Pages<Alarm>

  /**
   * Say that one looks after an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/take/`
   */
  take: (id: Uuid, options?: WriteOptions) => Promise<Alarm>

  /**
   * Write down what was found about an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/note/`
   */
  note: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>

  /**
   * Close an alarm, with what was found. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/close/`
   */
  close: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>
}
