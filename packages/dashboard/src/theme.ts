export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT = 'gapura.theme'

export function firstTheme(): Theme {
  const kept = localStorage.getItem(KEPT)
  return THEMES.find((one) => one === kept) ?? 'system'
}

/** Light or dark for the whole page; `system` leaves it to the machine. */
export function wearTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
