import type { Language } from '../../language.ts'
import { INDONESIAN_RATE_NOTES, INDONESIAN_REASONS } from '../../texts/indonesian_reasons.ts'

/** Why a line or a file cannot be read, in the reader's language where it is known. */
export const reasonText = (language: Language, reason: string): string =>
  language === 'en' ? reason : (INDONESIAN_REASONS[reason] ?? reason)

/** Where a rate is from: staff wrote it, or it came with the service. */
export const rateNoteText = (language: Language, note: string): string =>
  language === 'en' ? note : (INDONESIAN_RATE_NOTES[note] ?? note)
