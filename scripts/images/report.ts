/** One line for each check; what failed decides the exit code. */
export class Report {
  #failed = 0
  #passed = 0

  check(name: string, holds: boolean, detail: string): void {
    if (holds) this.#passed++
    else this.#failed++
    console.log(`${holds ? 'ok   ' : 'FAULT'} ${name.padEnd(24)} ${detail}`)
  }

  close(): number {
    console.log(
      `image ${this.#failed === 0 ? 'holds' : 'MISSED'}: ${this.#passed} passed, ${this.#failed} failed`,
    )
    return this.#failed === 0 ? 0 : 1
  }
}
