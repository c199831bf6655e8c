/** A product in the field of 256 that QR codes count in. */
function product(a: number, b: number): number {
  let result = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >>> 7) * 0x11d)
    result ^= ((b >>> bit) & 1) * a
  }
  return result
}

/** The coefficients of (x - 1)(x - 2)(x - 4)…, the highest left out because it is 1. */
function divisorOf(degree: number): number[] {
  const coefficients: number[] = Array.from({ length: degree }, (_, at) =>
    at === degree - 1 ? 1 : 0,
  )
  let root = 1
  for (let round = 0; round < degree; round += 1) {
    for (const [at, coefficient] of coefficients.entries()) {
      coefficients[at] = product(coefficient, root) ^ (coefficients[at + 1] ?? 0)
    }
    root = product(root, 2)
  }
  return coefficients
}

/** What is left of the data after division: the codewords that let a reader repair a stain. */
export function errorCodewords(data: readonly number[], count: number): number[] {
  const divisor = divisorOf(count)
  let remainder: number[] = divisor.map(() => 0)
  for (const byte of data) {
    const [first = 0, ...rest] = remainder
    const factor = byte ^ first
    remainder = divisor.map((coefficient, at) => product(coefficient, factor) ^ (rest[at] ?? 0))
  }
  return remainder
}
