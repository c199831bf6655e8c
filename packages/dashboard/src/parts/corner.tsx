import { useState } from 'react'
import { LANGUAGES, useSpeech } from '../language.ts'
import { firstTheme, THEMES, wearTheme } from '../theme.ts'

const NAMES = { id: 'Indonesia', en: 'English' }

/** Language and colours. Neither is a secret, so they outlive the tab. */
export function Corner() {
  const { say, word, language, speak } = useSpeech()
  const [theme, setTheme] = useState(firstTheme)
  return (
    <div className="corner">
      <label>
        <span className="sr">{say('language')}</span>
        <select
          value={language}
          onChange={({ target }) => speak(target.value === 'en' ? 'en' : 'id')}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="sr">{say('theme')}</span>
        <select
          value={theme}
          onChange={({ target }) => {
            const chosen = THEMES.find((one) => one === target.value) ?? 'system'
            wearTheme(chosen)
            setTheme(chosen)
          }}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {word('theme', one)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
