import type { KeyboardEvent } from 'react'

interface TextFieldProps {
  label: string
  text: string | undefined
  choose: (text: string | undefined) => void
}

/** A text that counts when it is complete: on Enter, or when the field is left. */
export function TextField({ label, text = '', choose }: TextFieldProps) {
  const commit = (field: HTMLInputElement): void => {
    const typed = field.value.trim()
    if (typed !== text) choose(typed || undefined)
  }
  return (
    <label>
      {label}
      <input
        // A new value from the address replaces what was typed.
        key={text}
        defaultValue={text}
        maxLength={255}
        size={12}
        onBlur={({ target }) => commit(target)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === 'Enter') commit(event.currentTarget)
        }}
      />
    </label>
  )
}
