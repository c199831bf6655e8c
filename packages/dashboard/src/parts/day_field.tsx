interface DayFieldProps {
  label: string
  day: string | undefined
  choose: (day: string | undefined) => void
}

/** A calendar day. The browser's own field: it knows the reader's calendar and keyboard. */
export const DayField = ({ label, day, choose }: DayFieldProps) => (
  <label>
    {label}
    <input
      type="date"
      value={day ?? ''}
      onChange={({ target }) => choose(target.value || undefined)}
    />
  </label>
)
