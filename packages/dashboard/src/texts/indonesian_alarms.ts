/**
 * What an alarm says beyond its kind: the service says it in English, which is the key. `{}` is a
 * part that differs, in the same order in both.
 */
export const INDONESIAN_ALARMS: Readonly<Record<string, string>> = {
  'invoice of {}': 'invoice untuk order {}',
  '{} became {}': '{} menjadi {}',
  'the gateway asks {}': 'gateway menagih {}',
  'its id names another invoice': 'ID-nya milik invoice lain',
  '{}: the gateway could not be asked for a day': '{}: gateway tidak bisa ditanya selama sehari',
  '{} of order {}: the gateway has the order': '{} untuk order {}: gateway punya order ini',
  'it is not ours. More such orders open no further alarm: list notifications with the effect unmatched to see them all':
    'bukan milik kita. Order lain yang serupa tidak membuka alarm lagi: lihat semua notifikasi dengan akibat "tidak cocok"',
  '{}: the gateway does not know the order': '{}: gateway tidak mengenal order ini',
  '{} failed {} times; decide what to do': '{} gagal {} kali; tentukan tindakan',
  'transaction {} is listed and not known': 'transaksi {} tercantum tetapi tidak dikenal',
  'transaction {} cannot be its payment': 'transaksi {} tidak mungkin pembayarannya',
  '{}: the gateway has not shown whether it was carried out':
    '{}: gateway belum menunjukkan apakah sudah dijalankan',
  '{} was given up and was carried out': '{} sudah dilepas, tetapi ternyata dijalankan',
  'checkout of {}': 'halaman pembayaran untuk order {}',
  'order {} was already paid by payment {}': 'order {} sudah dibayar dengan pembayaran {}',
  'approve the refund request over {}': 'setujui permintaan refund sebesar {}',
  '{} has no refund at the gateway: pay {} back to the payer':
    '{} tidak bisa di-refund lewat gateway: kembalikan {} kepada pembayar',
  '{}: reported {}': '{}: dilaporkan {}',
  'charge of {}': 'tagihan untuk order {}',
  'charge of {} was given up, and the gateway has it':
    'tagihan untuk order {} sudah dilepas, tetapi ada di gateway',
  'order {} is also that of payment {}': 'order {} juga milik pembayaran {}',
  'order {} is also that of checkout {}': 'order {} juga milik checkout {}',
  '{} with the fraud status {}': '{} dengan status fraud {}',
  'a refund of {} was refused, and the gateway lists it as made':
    'refund untuk order {} ditolak, tetapi gateway mencantumkannya sebagai berhasil',
  'a report of {} is not settled by what the gateway answers':
    'laporan {} belum terjawab oleh keterangan gateway',
  'the gateway does not know the order of a {} payment':
    'gateway tidak mengenal order dari pembayaran {}',
  'the gateway does not know a {} invoice': 'gateway tidak mengenal invoice {}',
  'the gateway does not know it': 'gateway tidak mengenalnya',
  'payment {} charged another amount': 'pembayaran {} menagih jumlah lain',
  'it charges, and its id is not known yet': 'langganan ini menagih, tetapi ID-nya belum diketahui',
  'it is {} here': 'di sini statusnya {}',
  '{} failed {} times at {}': '{} gagal {} kali pada {}',
  'the receiver replied 410 Gone': 'penerima menjawab 410 Gone',
  'nothing but failures since {}': 'selalu gagal sejak {}',
}

/** The longest first: some are the beginning of another. */
const PATTERNS = Object.entries(INDONESIAN_ALARMS)
  .toSorted(([one], [other]) => other.length - one.length)
  .map(([english, text]) => {
    const escaped = english.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    return { pattern: new RegExp(`^${escaped.replaceAll('{}', '([^;]+)')}$`), text }
  })

/** In Indonesian; undefined if the service of another release said it in other words. */
export function inIndonesian(detail: string): string | undefined {
  for (const { pattern, text } of PATTERNS) {
    const found = pattern.exec(detail)
    if (found === null) continue
    let at = 0
    return text.replaceAll('{}', () => found[(at += 1)] ?? '')
  }
  // Some are two sentences, each with a text of its own.
  const [first = '', ...rest] = detail.split('; ')
  if (rest.length === 0) return undefined
  const parts = [inIndonesian(first), inIndonesian(rest.join('; '))]
  return parts.includes(undefined) ? undefined : parts.join('; ')
}
