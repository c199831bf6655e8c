import { describe, expect, test } from 'vitest'
import { ERRORS, GATEWAY_ERROR_KINDS, type ErrorCode, type ErrorRow } from './error_catalogue.ts'
import * as errors from './errors.ts'
import { gatewayError, GatewayError } from './errors.ts'
import { PROBLEMS } from './problems.ts'

const rows = Object.entries(ERRORS) as [ErrorCode, ErrorRow][]

describe('the catalogue', () => {
  test('uses all of the seven kinds and no eighth', () => {
    expect(GATEWAY_ERROR_KINDS).toHaveLength(7)
    expect(new Set(rows.map(([, row]) => row.kind))).toEqual(new Set(GATEWAY_ERROR_KINDS))
  })

  test.each(rows)('%s says what happened and what to do', (code, row) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(row.title).toMatch(/^[A-Z].*[^.]$/)
    expect(row.advice).toMatch(/^[A-Z].*\.$/)
    // What a rule of ours refuses has touched nothing, so it is always certain.
    if (row.stage === 'before') expect(row.definite).toBe(true)
    // What may have happened can be asked about again; a duplicate is not helped by repeating.
    if (!row.definite && code !== 'gateway_duplicate') expect(row.retryable).toBe(true)
    if (row.stage === 'after') expect(row.definite).toBe(false)
  })

  test('what the gateway answers is a 400 on a charge, but an unknown outcome is 504 everywhere', () => {
    for (const [code, row] of rows) {
      if (row.stage !== 'at') expect(row.status_on_charge).toBe(row.status)
      else expect(row.status_on_charge).toBe(code === 'outcome_unknown' ? 504 : 400)
    }
  })

  test('shares no code with the problems that are no failures', () => {
    expect(Object.keys(PROBLEMS).filter((code) => code in ERRORS)).toEqual([])
  })
})

describe('an error', () => {
  test.each(rows)('%s is an instance of its kind and of the base', (code, row) => {
    const error = gatewayError(code)
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toBeInstanceOf(errors[row.kind])
    expect(error.name).toBe(row.kind)
    expect(error.message).toBe(row.title)
    expect(error.stage).toBe(row.stage)
    expect(error.definite).toBe(row.definite)
    expect(error.retryable).toBe(row.retryable)
  })

  test('carries the details it is given and nothing else', () => {
    const cause = new Error('socket hang up')
    const error = gatewayError('outcome_unknown', { operation: 'charge', retry_after_s: 5, cause })
    expect(error.operation).toBe('charge')
    expect(error.retry_after_s).toBe(5)
    expect(error.cause).toBe(cause)
    expect(error.gateway).toBeNull()
    expect(error.errors).toEqual([])
    expect('cause' in gatewayError('invalid_request')).toBe(false)
  })

  test('gives the advice of its code unless it has its own', () => {
    expect(gatewayError('outcome_unknown').advice).toBe(ERRORS.outcome_unknown.advice)
    expect(gatewayError('outcome_unknown', { advice: 'Wait.' }).advice).toBe('Wait.')
  })

  test('names the object it is about, so that a caller reads that one and creates no second', () => {
    const payment = { kind: 'payment', id: 'p-1' } as const
    const invoice = { kind: 'invoice', id: 'i-1' } as const
    const error = gatewayError('outcome_unknown')
    expect([error.subject, error.payment_id]).toEqual([null, null])
    expect(error.about(payment)).toBe(error)
    expect([error.subject, error.payment_id]).toEqual([payment, 'p-1'])
    const of_invoice = gatewayError('outcome_unknown', { subject: invoice })
    expect([of_invoice.subject, of_invoice.payment_id]).toEqual([invoice, null])
  })
})
