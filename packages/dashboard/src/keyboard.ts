import { useEffect } from 'react'

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Keys of the whole page; off while the user types or a dialog is open. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      keys[event.key]?.(event)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, select, textarea, dialog, [contenteditable]') !== null
