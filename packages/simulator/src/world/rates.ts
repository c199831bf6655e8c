// What the gateway keeps of a payment. The simulator's own computation: the service must arrive at
// the same figures by itself, or by reading them.

/** A share of the amount in hundredths of a percent, and a fixed part in hundredths of a rupiah. */
interface Rate {
  basis_points: number
  fixed: number
}

const RUPIAH = 100

// Published: bank transfers, GoPay, QRIS, cards. The others are by contract; these are invented.
const RATES: Readonly<Record<string, Rate>> = {
  bank_transfer: { basis_points: 0, fixed: 4_000 * RUPIAH },
  echannel: { basis_points: 0, fixed: 4_000 * RUPIAH },
  credit_card: { basis_points: 290, fixed: 2_000 * RUPIAH },
  gopay: { basis_points: 200, fixed: 0 },
  qris: { basis_points: 70, fixed: 0 },
  shopeepay: { basis_points: 200, fixed: 0 },
  dana: { basis_points: 150, fixed: 0 },
  ovo: { basis_points: 150, fixed: 0 },
  cstore: { basis_points: 0, fixed: 5_000 * RUPIAH },
  akulaku: { basis_points: 170, fixed: 0 },
  kredivo: { basis_points: 200, fixed: 0 },
}

const NO_RATE: Rate = { basis_points: 0, fixed: 0 }

/** 12 % of eleven twelfths of the fee. */
const VAT_BASIS_POINTS = 1_100
const WHOLE = 10_000n

/** Half a hundredth goes up. */
const share = (amount: number, basis_points: number): number =>
  Number((BigInt(amount) * BigInt(basis_points) + WHOLE / 2n) / WHOLE)

/** Fee and VAT of a payment, all in hundredths of a rupiah. */
export function feeOf(payment_type: string, amount: number): { fee: number; vat: number } {
  const { basis_points, fixed } = RATES[payment_type] ?? NO_RATE
  const fee = Math.min(amount, share(amount, basis_points) + fixed)
  return { fee, vat: Math.min(amount - fee, share(fee, VAT_BASIS_POINTS)) }
}
