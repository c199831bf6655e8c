interface SelectProps {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, text: string])[]
  choose: (value: string | undefined) => void
}

/** One of a few; the first is usually "any". */
export const Select = ({ label, value, options, choose }: SelectProps) => (
  <label>
    {label}
    <select value={value ?? ''} onChange={({ target }) => choose(target.value || undefined)}>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
