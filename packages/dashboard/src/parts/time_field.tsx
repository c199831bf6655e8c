interface TimeFieldProps {
  label: string
  /** As in Jakarta: `2026-11-15T10:30`. */
  time: string
  choose: (time: string) => void
  required?: boolean
}

/** A day and a time in Jakarta. The browser's own field, as for days. */
export const TimeField = ({ label, time, choose, required = false }: TimeFieldProps) => (
  <label>
    {label}
    <input
      type="datetime-local"
      value={time}
      required={required}
      onChange={({ target }) => choose(target.value)}
    />
  </label>
)
