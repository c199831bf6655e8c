/**
 * Where the rates that the service comes with are from: the service says it in English, which is
 * the key. Amounts and percentages are written as in the columns beside them.
 */
export const RATE_NOTES: Readonly<Record<string, { en: string; id: string }>> = {
  'gateway: 4,000 and VAT for a bank transfer': {
    en: 'gateway: Rp\u00a04.000 and VAT for a bank transfer',
    id: 'gateway: Rp\u00a04.000 dan PPN untuk transfer bank',
  },
  'gateway: 2 % and VAT': { en: 'gateway: 2% and VAT', id: 'gateway: 2% dan PPN' },
  'gateway: 0.7 % for regular merchants; whether VAT is added is not certain': {
    en: 'gateway: 0.7% for regular merchants; whether VAT is added is not certain',
    id: 'gateway: 0,7% untuk merchant reguler; belum pasti apakah ditambah PPN',
  },
  'gateway: 2.9 %; the 2,000 is from other pages': {
    en: 'gateway: 2.9%; the Rp\u00a02.000 is from other pages',
    id: 'gateway: 2,9%; yang Rp\u00a02.000 dari halaman lain',
  },
  'other pages: about 2 %': { en: 'other pages: about 2%', id: 'halaman lain: sekitar 2%' },
}
