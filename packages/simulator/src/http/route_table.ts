/** A route knows its method and its path; `{name}` stands for one segment. */
export interface Pattern {
  method: string
  path: string
}

interface Compiled<Route> {
  route: Route
  segments: string[]
}

/** The route that fits and what its path said. */
export interface Match<Route> {
  route: Route
  params: Record<string, string>
}

/** Routes by method and number of segments, so that a match looks at a handful of them. */
export class RouteTable<Route extends Pattern> {
  #routes = new Map<string, Compiled<Route>[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const segments = route.path.split('/')
      const key = `${route.method} ${segments.length}`
      const bucket = this.#routes.get(key) ?? []
      bucket.push({ route, segments })
      this.#routes.set(key, bucket)
    }
  }

  /** The first route that fits, with its parameters decoded; nothing for bad escapes. */
  find(method: string, path: string): Match<Route> | undefined {
    const parts = path.split('/')
    for (const { route, segments } of this.#routes.get(`${method} ${parts.length}`) ?? []) {
      const params = paramsOf(segments, parts)
      if (params) return { route, params }
    }
    return undefined
  }
}

function paramsOf(segments: string[], parts: string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== part) return undefined
      continue
    }
    const value = decoded(part)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1, -1)] = value
  }
  return params
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
