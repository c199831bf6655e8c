/** A map that forgets what was not touched for longest, so that no sender decides our memory. */
export class BoundedMap<Key, Value> {
  readonly #map = new Map<Key, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    const value = this.#map.get(key)
    // A Map keeps the order of insertion: put again, it is the youngest.
    if (value !== undefined) {
      this.#map.delete(key)
      this.#map.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.#map.delete(key)
    this.#map.set(key, value)
    if (this.#map.size <= this.#max) return
    const [oldest] = this.#map.keys()
    if (oldest !== undefined) this.#map.delete(oldest)
  }
}
