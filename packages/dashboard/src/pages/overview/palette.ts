import { useEffect, useState } from 'react'

/** Colours as the page wears them now: a canvas knows no variables. */
export interface Palette {
  ink: string
  soft: string
  line: string
  accent: string
  back: string
  open: string
}

const NAMES = ['ink', 'soft', 'line', 'accent', 'back', 'open'] as const

function read(): Palette {
  const probe = document.createElement('span')
  document.body.append(probe)
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const [ink = '', soft = '', line = '', accent = '', back = '', open = ''] = NAMES.map(colour)
  probe.remove()
  return { ink, soft, line, accent, back, open }
}

/** Read again whenever the page changes its colours. */
export function usePalette(): Palette {
  const [palette, setPalette] = useState(read)
  useEffect(() => {
    const again = (): void => setPalette(read())
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    const watcher = new MutationObserver(again)
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      dark.removeEventListener('change', again)
      watcher.disconnect()
    }
  }, [])
  return palette
}
