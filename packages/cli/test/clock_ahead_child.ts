// Loaded first into a process, this makes it one of a machine whose clock is five minutes ahead.
const AHEAD_MS = 5 * 60_000
const now = Date.now.bind(Date)

globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length === 0 ? [now() + AHEAD_MS] : given) as Date,
  get: (target, name): unknown =>
    name === 'now' ? () => now() + AHEAD_MS : Reflect.get(target, name),
})
