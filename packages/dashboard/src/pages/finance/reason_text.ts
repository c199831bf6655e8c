import type { Language } from '../../language.ts'
import { INDONESIAN_REASONS } from '../../texts/indonesian_reasons.ts'

/** Why a line or a file cannot be read, in the reader's language where it is known. */
export const reasonText = (language: Language, reason: string): string =>
  language === 'en' ? reason : (INDONESIAN_REASONS[reason] ?? reason)
