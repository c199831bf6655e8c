/** Seeded random numbers: the same seed and calls give the same run. */
export class Random {
  // sfc32 has 128 bits of state; a 32-bit generator would repeat a UUID after 65,000 charges.
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number) {
    this.#a = seed | 0
    this.#b = Math.imul(seed, 0x9e3779b1) | 0
    this.#c = Math.imul(seed ^ 0x5bd1e995, 0x85ebca6b) | 0
    for (let round = 0; round < 12; round += 1) this.#next()
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** At least 0, below 1. */
  fraction(): number {
    return this.#next() / 0x1_0000_0000
  }

  hex(length: number): string {
    let text = ''
    while (text.length < length) text += this.#next().toString(16).padStart(8, '0')
    return text.slice(0, length)
  }

  digits(length: number): string {
    let text = ''
    while (text.length < length) text += String(this.#next() % 10_000).padStart(4, '0')
    return text.slice(0, length)
  }

  letters(length: number): string {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let text = ''
    while (text.length < length) text += alphabet.charAt(this.#next() % alphabet.length)
    return text
  }

  uuid(): string {
    const hex = this.hex(32)
    const variant = '89ab'.charAt(this.#next() % 4)
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-')
  }
}
