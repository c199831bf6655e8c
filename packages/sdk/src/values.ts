// What JSON has no type for. The names say how to read the text.

/** Two decimals as text, such as `"44000.00"`: a JSON parser may round a number. */
export type Money = string

/** Whole rupiah as a number, or a decimal text such as `"44000"` or `"44000.00"`. */
export type AmountInput = number | string

/** ISO 8601 with its zone, such as `"2026-01-31T00:00:00.000Z"`. */
export type Timestamp = string

export type Uuid = string
