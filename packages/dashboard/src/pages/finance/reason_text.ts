import type { Language } from '../../language.ts'
import { INDONESIAN_REASONS } from '../../texts/indonesian_reasons.ts'
import { RATE_NOTES } from '../../texts/rate_notes.ts'

/** Why a line or a file cannot be read, in the reader's language where it is known. */
export const reasonText = (language: Language, reason: string): string =>
  language === 'en' ? reason : (INDONESIAN_REASONS[reason] ?? reason)

/** Where a rate is from: staff wrote it, or it came with the service. */
export const rateNoteText = (language: Language, note: string): string =>
  RATE_NOTES[note]?.[language] ?? note
