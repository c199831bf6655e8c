/** Pengembalian dana dalam bahasa Indonesia. */
export const INDONESIAN_REFUNDS = {
  page_refunds: 'Pengembalian',
  refunds_empty: 'Tidak ada pengembalian yang cocok dengan saringan ini.',
  refund_source: 'Dilakukan',
  source_service: 'di sini',
  source_gateway: 'di gateway',
  source_outside: 'di luar gateway',
  refund_by: 'Diminta dan disetujui oleh',
  refund_reference: 'Nomor transfer',
  refund_evidence: 'Bukti',
  refund_evidence_hint: 'Misalnya: slip di map keuangan, rekening pelanggan sudah diperiksa',
  action_record_refund: 'Catat pengembalian…',
  record_title: 'Catat pengembalian yang dibayarkan ke {payee} di luar gateway',
  record_lead:
    'Untuk uang yang dikembalikan lewat transfer bank. Ini tidak membayar apa pun: orang kedua memeriksanya, lalu dihitung sebagai pengembalian.',
  record_do: 'Minta persetujuan {amount}',
  record_amount: 'Jumlah yang dikembalikan dalam rupiah',
  effect_of_record: 'Orang lain harus menyetujuinya sebelum dihitung.',
  record_reference_missing: 'Isi nomor transfer seperti yang ditampilkan bank.',
  held_outside_title:
    'Pengembalian {amount} ke {payee}, dibayar di luar gateway, perlu persetujuan',
  held_outside_effect:
    'Dicatat sebagai pengembalian. Gateway tidak dihubungi dan tidak membayar apa pun.',
} as const
