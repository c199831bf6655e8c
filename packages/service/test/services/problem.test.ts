import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/domain/error_catalogue.ts'
import { gatewayError } from '../../src/domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../../src/domain/problems.ts'
import { problemOf, problemOfError } from '../../src/services/problem.ts'

const request_id = 'request-1'

describe('a problem body', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])(
    'of %s says what happened and what to do',
    (code) => {
      const body = problemOfError(gatewayError(code), { request_id })
      expect(body).toMatchObject({ code, request_id, status: ERRORS[code].status })
      expect(body.title).toBe(ERRORS[code].title)
      expect(body.detail).toBe(ERRORS[code].advice)
      const on_charge = problemOfError(gatewayError(code), { request_id, on_charge: true })
      expect(on_charge.status).toBe(ERRORS[code].status_on_charge)
    },
  )

  test.each(Object.keys(PROBLEMS) as ProblemCode[])('of %s does so too', (code) => {
    expect(problemOf(code, request_id)).toMatchObject({ code, status: PROBLEMS[code].status })
  })

  test("shows the gateway's words and the faults, and never the cause", () => {
    const error = gatewayError('gateway_rejected', {
      gateway: { status_code: '400', status_message: 'no', http_status: 200 },
      errors: [{ field: 'bank', message: 'one of bca' }],
      cause: new Error('socket of 10.0.0.1'),
    })
    const body = problemOfError(error, { request_id, subject: { kind: 'payment', id: 'p-1' } })
    expect(body).toMatchObject({
      gateway: { status_code: '400', status_message: 'no' },
      errors: [{ field: 'bank', message: 'one of bca' }],
      payment_id: 'p-1',
    })
    expect(JSON.stringify(body)).not.toContain('10.0.0.1')
  })
})
