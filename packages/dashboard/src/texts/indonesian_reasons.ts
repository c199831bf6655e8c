/** Why a line or a file cannot be read: the service says it in English, which is the key. */
export const INDONESIAN_REASONS: Readonly<Record<string, string>> = {
  'has an amount, a mark or a date twice': 'jumlah, tanda, atau tanggal ada dua kali',
  'is not booked yet': 'belum dibukukan oleh bank',
  'the amount must have at most two decimals and be CRDT or DBIT':
    'jumlah paling banyak dua desimal dan bertanda CRDT atau DBIT',
  'is a field that is not known': 'isian ini tidak dikenal',
  'the amount must be digits with CR or DB': 'jumlah harus angka dengan CR atau DB',
  'the currency must be IDR': 'mata uang harus IDR',
  'the balance must be an amount': 'saldo harus berupa jumlah',
  'the booking date must be a day of the calendar': 'tanggal buku harus hari kalender',
  'the date has no year, and the file names no period':
    'tanggal tanpa tahun, dan berkas tidak menyebut periode',
  'the date must be as 31/01/2026': 'tanggal harus seperti 31/01/2026',
  'the time must be a date, such as 31/01/2026 14:05':
    'waktu harus tanggal, misalnya 31/01/2026 14:05',
  'the amount must be rupiah with at most two decimals':
    'jumlah harus rupiah dengan paling banyak dua desimal',
  'the fee must be rupiah with at most two decimals':
    'biaya harus rupiah dengan paling banyak dua desimal',
  'has not the form of an entry of MT940': 'bukan bentuk mutasi MT940',
  'the date must be a day of the calendar': 'tanggal harus hari kalender',
  'the amount must have a comma and at most two decimals':
    'jumlah harus memakai koma dan paling banyak dua desimal',
  'debit and credit must be amounts': 'debit dan kredit harus berupa jumlah',
  'one of debit and credit must be more than zero':
    'salah satu dari debit dan kredit harus lebih dari nol',
  'has too many columns': 'terlalu banyak kolom',
  'has a cell that cannot be read': 'ada sel yang tidak terbaca',
  'stands before the columns': 'berada sebelum baris nama kolom',
  'is a part of the file that is not known': 'bagian berkas ini tidak dikenal',
  'an id is too long': 'ada ID yang terlalu panjang',
  'has too many fields': 'terlalu banyak isian',
  'has a quote that is not closed, or text beside a quoted field':
    'tanda kutip tidak ditutup, atau ada teks di luar kutipan',
  'has an entry inside an entry': 'ada mutasi di dalam mutasi',
  'must not have a DOCTYPE': 'tidak boleh punya DOCTYPE',
  'is nested too deeply': 'bersarang terlalu dalam',
  'must be well-formed XML': 'harus XML yang benar',
  'has no sheet': 'tidak punya lembar kerja',
  'has no line with the names of its columns': 'tidak punya baris nama kolom',
  'has no line with the names of the columns': 'tidak punya baris nama kolom',
  'has no line with the names of the mapped columns, time and amount among them':
    'tidak punya baris dengan nama kolom yang ditentukan, termasuk waktu dan jumlah',
  'is no workbook': 'bukan berkas Excel',
  'has its first sheet under another name; save it again as XLSX':
    'lembar pertamanya bernama lain; simpan lagi sebagai XLSX',
  'has no statement, so it is no CAMT.053': 'tidak berisi rekening koran, jadi bukan CAMT.053',
  'must be a text file, without zero bytes': 'harus berkas teks, tanpa byte nol',
  'unpacks to more than 64 MiB': 'isinya lebih dari 64 MiB setelah dibuka',
  'is packed in a way that cannot be read': 'dikemas dengan cara yang tidak terbaca',
  'is damaged, or no workbook': 'rusak, atau bukan berkas Excel',
  'has no field :60F: or :61:, so it is no MT940':
    'tidak punya isian :60F: atau :61:, jadi bukan MT940',
  'is protected by a password': 'dilindungi kata sandi',
}
