import type { Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import type { World } from '../world/world.ts'
import { timeTag } from './format.ts'
import type { Html } from './html.ts'
import { languageOf, type Language } from './language.ts'
import { TEXTS, type TextKey } from './texts.ts'

/** What every page needs: the simulated data and the texts of its language. */
export interface View {
  world: World
  call: Call
  language: Language
  /** The text of that name; `{word}` in it is replaced by the value of that name. */
  t: (key: TextKey, values?: Record<string, string | number>) => string
  time: (at: number) => Html
}

export function viewOf(host: Host, call: Call): View {
  const language = languageOf(call)
  return {
    world: host.world(),
    call,
    language,
    t: (key, values = {}) =>
      TEXTS[key][language].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
    time: (at) => timeTag(language, at),
  }
}

/** A text with a composed name, such as a status; the raw value if there is no text. */
export function textOr(view: View, key: string, otherwise: string): string {
  return isTextKey(key) ? view.t(key) : otherwise
}

export const isTextKey = (key: string): key is TextKey => Object.hasOwn(TEXTS, key)
