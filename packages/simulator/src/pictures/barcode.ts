/** Code 128, set C: the widths of bars and gaps for each pair of digits, the start and the stop. */
const WIDTHS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 ' +
  '122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 ' +
  '321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 ' +
  '211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 ' +
  '213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 ' +
  '121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 ' +
  '241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 ' +
  '412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 ' +
  '211214 211232 2331112'
).split(' ')

const START_C = 105
const STOP = 106

/** One bar: where it begins and how wide it is, in modules. */
export interface Bar {
  x: number
  width: number
}

/** The bars of a code; undefined for an odd number of digits, which set C cannot encode. */
export function barcode(digits: string): { bars: Bar[]; width: number } | undefined {
  if (!/^(?:\d\d)+$/.test(digits)) return undefined
  const pairs = (digits.match(/\d\d/g) ?? []).map(Number)
  const check = pairs.reduce((sum, pair, at) => sum + pair * (at + 1), START_C) % 103
  const bars: Bar[] = []
  let x = 0
  for (const symbol of [START_C, ...pairs, check, STOP]) {
    for (const [at, width] of (WIDTHS[symbol] ?? '').split('').map(Number).entries()) {
      // Bars and gaps alternate, a bar first.
      if (at % 2 === 0) bars.push({ x, width })
      x += width
    }
  }
  return { bars, width: x }
}
