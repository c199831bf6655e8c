/** Rows of modules; true is dark. */
export type Modules = readonly (readonly boolean[])[]

/** The square under construction, and which of its modules no mask may touch. */
export class Grid {
  readonly version: number
  readonly size: number
  readonly dark: boolean[][]
  readonly fixed: boolean[][]

  constructor(version: number) {
    this.version = version
    this.size = 17 + 4 * version
    const square = (): boolean[][] =>
      Array.from({ length: this.size }, () => Array.from({ length: this.size }, () => false))
    this.dark = square()
    this.fixed = square()
  }

  set(x: number, y: number, dark: boolean): void {
    const row = this.dark[y]
    const fixed = this.fixed[y]
    if (!row || !fixed || x < 0 || x >= this.size) return
    row[x] = dark
    fixed[x] = true
  }

  drawFunctionModules(): void {
    const far = this.size - 4
    for (let at = 0; at < this.size; at += 1) {
      this.set(6, at, at % 2 === 0)
      this.set(at, 6, at % 2 === 0)
    }
    for (const [x, y] of [
      [3, 3],
      [far, 3],
      [3, far],
    ] as const)
      this.#rings(x, y, 4)
    this.#alignments()
    this.drawFormat(0)
    this.#versionBits()
  }

  /** A finder (radius 4, with its quiet rim) or an alignment pattern (radius 2). */
  #rings(x: number, y: number, radius: number): void {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy))
        const dark = radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1
        this.set(x + dx, y + dy, dark)
      }
    }
  }

  #alignments(): void {
    if (this.version === 1) return
    const count = Math.floor(this.version / 7) + 2
    const step = Math.floor((this.version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
    const last = this.size - 7
    const places = [
      6,
      ...Array.from({ length: count - 1 }, (_, n) => last - (count - 2 - n) * step),
    ]
    for (const x of places) {
      for (const y of places) {
        // Three corners belong to the finders.
        const taken = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
        if (!taken) this.#rings(x, y, 2)
      }
    }
  }

  /** Level M is 00 in the two upper bits; the mask is in the three lower ones. */
  drawFormat(mask: number): void {
    let rest = mask
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537)
    const bits = ((mask << 10) | rest) ^ 0x5412
    const bit = (at: number): boolean => ((bits >>> at) & 1) === 1
    const { size } = this
    for (let at = 0; at < 15; at += 1) {
      // Once round the upper left finder, skipping the timing lines …
      const near = at < 6 ? at : at < 8 ? at + 1 : 14 - at
      if (at < 8) this.set(8, near, bit(at))
      else this.set(at === 8 ? 7 : near, 8, bit(at))
      // … and once shared by the two others.
      if (at < 8) this.set(size - 1 - at, 8, bit(at))
      else this.set(8, size - 15 + at, bit(at))
    }
    this.set(8, size - 8, true)
  }

  #versionBits(): void {
    if (this.version < 7) return
    let rest = this.version
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25)
    const bits = (this.version << 12) | rest
    for (let at = 0; at < 18; at += 1) {
      const dark = ((bits >>> at) & 1) === 1
      const a = this.size - 11 + (at % 3)
      const b = Math.floor(at / 3)
      this.set(a, b, dark)
      this.set(b, a, dark)
    }
  }

  /** In zigzags from the lower right, two columns at a time, round everything that is fixed. */
  drawCodewords(codewords: readonly number[]): void {
    let index = 0
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      const upward = ((right + 1) & 2) === 0
      for (let step = 0; step < this.size; step += 1) {
        const y = upward ? this.size - 1 - step : step
        for (const x of [right, right - 1]) {
          const row = this.dark[y]
          if (!row || this.fixed[y]?.[x] !== false) continue
          row[x] = (((codewords[index >>> 3] ?? 0) >>> (7 - (index & 7))) & 1) === 1
          index += 1
        }
      }
    }
  }
}
