import { describe, expect, test } from 'vitest'
import { amountAdvice, expiryFault, inputFaults } from './charge_rules.ts'
import { PAYMENT_TYPE, PAYMENT_TYPES, type PaymentType } from './payment_type.ts'
import { TYPE_INPUTS } from './payment_type_row.ts'

const faultsOf = (payment_type: PaymentType, ...given: string[]): string[] =>
  inputFaults({ payment_type, given: new Set(given) }).map(({ field }) => field)

describe('the table of payment types', () => {
  test('has a row for each of the eleven', () => {
    expect(PAYMENT_TYPES).toHaveLength(11)
    expect(Object.keys(PAYMENT_TYPE).sort()).toEqual([...PAYMENT_TYPES].sort())
  })

  test.each(PAYMENT_TYPES)(
    '%s: no input is both required and optional, bounds make sense',
    (type) => {
      const { required, optional, expiry, limit, checks } = PAYMENT_TYPE[type]
      expect(required.filter((input) => optional.some((other) => other === input))).toEqual([])
      if (expiry.custom !== null) {
        expect(optional).toContain('custom_expiry')
        expect(expiry.custom.min_s).toBeLessThanOrEqual(expiry.default_s)
        expect(expiry.custom.max_s).toBeGreaterThanOrEqual(expiry.default_s)
      } else {
        expect(optional).not.toContain('custom_expiry')
      }
      if (limit.max !== null) expect(limit.min).toBeLessThan(limit.max)
      expect([...checks.after_s].sort((a, b) => a - b)).toEqual(checks.after_s)
    },
  )
})

describe('inputs', () => {
  test.each([
    ['credit_card', 'token_id'],
    ['bank_transfer', 'bank'],
    ['cstore', 'store'],
    ['ovo', 'payer_phone_number'],
    ['akulaku', 'item_details'],
    ['kredivo', 'customer_details'],
  ] as const)('%s requires %s', (type, field) => {
    expect(faultsOf(type)).toContain(field)
    expect(faultsOf(type, ...PAYMENT_TYPE[type].required)).toEqual([])
  })

  test('what a type does not take is named, whatever the type', () => {
    for (const type of PAYMENT_TYPES) {
      const { required, optional } = PAYMENT_TYPE[type]
      const taken: readonly string[] = [...required, ...optional]
      const others = TYPE_INPUTS.filter((input) => !taken.includes(input))
      expect(faultsOf(type, ...required, ...TYPE_INPUTS).sort()).toEqual([...others].sort())
    }
  })

  test('all faults come at once', () => {
    expect(faultsOf('credit_card', 'store', 'custom_expiry')).toEqual([
      'token_id',
      'store',
      'custom_expiry',
    ])
  })

  test('a fault says what to do, and for which type', () => {
    expect(inputFaults({ payment_type: 'ovo', given: new Set(['store']) })).toEqual([
      { field: 'payer_phone_number', message: 'is required for ovo' },
      { field: 'store', message: 'must be left out for ovo' },
    ])
  })

  test('a card takes any bank as its acquirer', () => {
    const given = new Set(['token_id', 'bank'])
    expect(inputFaults({ payment_type: 'credit_card', given, bank: 'mandiri' })).toEqual([])
  })

  test('a bank must be one of the type, and the fault says which', () => {
    const given = new Set(['bank'])
    expect(inputFaults({ payment_type: 'bank_transfer', given, bank: 'bca' })).toEqual([])
    expect(inputFaults({ payment_type: 'bank_transfer', given, bank: 'mandiri' })).toEqual([
      { field: 'bank', message: 'must be one of bca, bni, bri, cimb, permata' },
    ])
  })

  test('a store must be one the gateway serves', () => {
    const given = new Set(['store'])
    expect(inputFaults({ payment_type: 'cstore', given, store: 'kiosk' })).toEqual([
      { field: 'store', message: 'must be one of indomaret, alfamart' },
    ])
  })
})

describe('custom expiry', () => {
  const minutes = (expiry_duration: number) => ({ expiry_duration, unit: 'minute' as const })

  test.each(['credit_card', 'ovo'] as const)('%s takes none', (type) => {
    expect(expiryFault(type, minutes(30))?.message).toBe(`must be left out for ${type}`)
  })

  test('bounds are those of the type', () => {
    expect(expiryFault('bank_transfer', { expiry_duration: 20, unit: 'second' })).toBeUndefined()
    expect(expiryFault('bank_transfer', { expiry_duration: 19, unit: 'second' })).toBeDefined()
    expect(expiryFault('bank_transfer', { expiry_duration: 180, unit: 'day' })).toBeUndefined()
    expect(expiryFault('bank_transfer', { expiry_duration: 181, unit: 'day' })).toBeDefined()
    expect(expiryFault('dana', minutes(14))).toEqual({
      field: 'custom_expiry',
      message: 'must be 900 to 86400 seconds for dana',
    })
    expect(expiryFault('dana', minutes(15))).toBeUndefined()
  })

  test('QRIS through the second acquirer ends two days sooner', () => {
    const sixDays = { expiry_duration: 6, unit: 'day' as const }
    expect(expiryFault('qris', sixDays, 'gopay')).toBeUndefined()
    expect(expiryFault('qris', sixDays, 'airpay shopee')).toBeDefined()
  })
})

describe('amount advice', () => {
  test('is given outside the usual bounds and never inside', () => {
    expect(amountAdvice({ payment_type: 'credit_card' }, 999_900n)).toBe('below_usual_minimum')
    expect(amountAdvice({ payment_type: 'credit_card' }, 1_000_000n)).toBeUndefined()
    expect(amountAdvice({ payment_type: 'qris' }, 1_000_000_000n)).toBeUndefined()
    expect(amountAdvice({ payment_type: 'qris' }, 1_000_000_100n)).toBe('above_usual_maximum')
  })

  test('a bank or store with bounds of its own goes before its type', () => {
    expect(amountAdvice({ payment_type: 'bank_transfer', bank: 'bca' }, 100n)).toBeDefined()
    expect(amountAdvice({ payment_type: 'bank_transfer', bank: 'bni' }, 100n)).toBeUndefined()
    expect(amountAdvice({ payment_type: 'cstore', store: 'indomaret' }, 100n)).toBeDefined()
    expect(amountAdvice({ payment_type: 'cstore', store: 'alfamart' }, 100n)).toBeUndefined()
  })
})
