// Secrets in the wrong place: each one in each field of a request, as a value and as a name.

type Body = Record<string, unknown>

/** Names under which a CVV, which has no recognisable form, might be sent. */
const CVV_NAMES = ['cvv', 'card_cvv', 'cardCvv', 'CVC', 'cvv2'] as const

/** The body with each of its texts in turn replaced by the secret. */
export function* withSecretIn(body: unknown, secret: string): Generator {
  if (typeof body === 'string') yield secret
  if (typeof body !== 'object' || body === null) return
  for (const [name, inner] of Object.entries(body)) {
    for (const changed of withSecretIn(inner, secret)) {
      yield Array.isArray(body)
        ? body.with(Number(name), changed)
        : { ...(body as Body), [name]: changed }
    }
  }
}

/** The body with a secret in an unknown field. */
export function* withSecretBeside(body: Body, secret: string): Generator<Body> {
  yield { ...body, [secret]: 1 }
  yield { ...body, note: secret }
  yield { ...body, metadata: { [secret]: 1 } }
  yield { ...body, metadata: { deep: [{ note: `it is ${secret}, really` }] } }
  yield { ...body, metadata: { token_id: { of: secret } } }
}

/** The body with a CVV under each of its names. */
export function* withCvvIn(body: Body, cvv: string): Generator<Body> {
  for (const name of CVV_NAMES) {
    yield { ...body, [name]: cvv }
    yield { ...body, metadata: { card: { [name]: cvv } } }
    yield { ...body, metadata: { [name]: [Number(cvv)] } }
  }
}
