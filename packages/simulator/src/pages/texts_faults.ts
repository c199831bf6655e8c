import type { Table } from './text_table.ts'

/** Faults and what each does. */
export const FAULT_TEXTS = {
  faults_on: { en: 'Faults on: {count}', id: 'Gangguan menyala: {count}' },
  faults_manage: { en: 'Manage', id: 'Kelola' },
  faults_lead: {
    en: 'Make the gateway fail, to see whether your service handles it.',
    id: 'Buat gateway gagal, untuk melihat apakah layanan Anda menanganinya.',
  },
  faults_active: { en: 'Switched on', id: 'Yang menyala' },
  faults_calls: { en: 'When the merchant calls', id: 'Saat merchant memanggil' },
  faults_notifications: { en: 'When the merchant is notified', id: 'Saat merchant diberi tahu' },
  no_faults: {
    en: 'No fault is on.',
    id: 'Tidak ada gangguan yang menyala.',
  },
  struck: { en: 'applied so far: {count}', id: 'sudah diterapkan: {count}' },
  used_up: { en: 'used up', id: 'sudah habis' },
  switch_on: { en: 'Switch on', id: 'Nyalakan' },
  switch_off: { en: 'Switch off', id: 'Matikan' },
  all_off: { en: 'All off', id: 'Matikan semua' },
  remove: { en: 'Remove', id: 'Hapus' },
  fault_on: { en: '{effect} on {operation}', id: '{effect} pada {operation}' },
  fault_prefix: { en: 'orders {prefix}…', id: 'pesanan {prefix}…' },
  fault_rate: { en: '{percent} % of the time', id: '{percent} % dari waktu' },
  fault_left: { en: '{count} more', id: '{count} lagi' },
  operation: { en: 'Operation', id: 'Operasi' },
  order_prefix: { en: 'Order ids that begin with', id: 'ID pesanan yang diawali' },
  of_status: { en: 'Status', id: 'Status' },
  times: { en: 'How often', id: 'Berapa kali' },
  for_ever: { en: 'without limit', id: 'tanpa batas' },
  rate: { en: 'Chance in %', id: 'Peluang dalam %' },
  after_work: { en: 'after the call was processed', id: 'setelah panggilan diproses' },
  fault_delay: {
    en: 'Processes the call and replies late. Until then the same idempotency key gets 202.',
    id: 'Mengerjakan dan terlambat menjawab. Idempotency key yang sama sementara mendapat 202.',
  },
  fault_timeout_before: {
    en: 'Never replies; the call is not processed.',
    id: 'Tidak pernah menjawab; tidak dikerjakan.',
  },
  fault_timeout_after: {
    en: 'Never replies, although the call is processed.',
    id: 'Tidak pernah menjawab, padahal dikerjakan.',
  },
  fault_drop_before: {
    en: 'Closes the connection; the call is not processed.',
    id: 'Memutus sambungan; tidak dikerjakan.',
  },
  fault_drop_after: {
    en: 'Closes the connection, although the call is processed.',
    id: 'Memutus sambungan, padahal dikerjakan.',
  },
  fault_status: { en: 'Replies with an error code.', id: 'Menjawab dengan kode galat.' },
  fault_html: {
    en: 'Replies with an HTML page instead of JSON.',
    id: 'Menjawab dengan halaman, bukan JSON.',
  },
  fault_truncated_json: {
    en: 'Sends only half of the correct reply.',
    id: 'Memotong jawaban yang benar di tengah.',
  },
  fault_wrong_types: {
    en: 'Sends the correct reply with wrong JSON types.',
    id: 'Memberi jawaban yang benar dengan tipe JSON yang salah.',
  },
  fault_rate_limited: {
    en: 'Replies 429: too many requests.',
    id: 'Menjawab 429: terlalu banyak permintaan.',
  },
  fault_still_running: {
    en: 'Replies 202: still processing.',
    id: 'Menjawab 202: masih dikerjakan.',
  },
  fault_redirect: {
    en: 'Redirects the caller to another address.',
    id: 'Mengalihkan pemanggil ke tempat lain.',
  },
  fault_over_long: {
    en: 'Sends the correct reply and megabytes more.',
    id: 'Memberi jawaban yang benar dan bermegabita lagi.',
  },
  fault_repeated_lines: {
    en: 'A page of the transaction history contains a line twice.',
    id: 'Satu halaman riwayat transaksi memuat satu baris dua kali.',
  },
  fault_shifted_page: {
    en: 'A page of the transaction history begins one line too late: a line is on no page.',
    id: 'Satu halaman riwayat transaksi mulai satu baris terlambat: satu baris hilang.',
  },
  fault_lost: { en: 'A notification is never sent.', id: 'Notifikasi tidak pernah dikirim.' },
  fault_doubled: { en: 'A notification is sent twice.', id: 'Notifikasi dikirim dua kali.' },
  fault_reordered: {
    en: 'A notification comes after the next one of its order.',
    id: 'Notifikasi datang setelah yang berikutnya.',
  },
  fault_late: { en: 'A notification comes later.', id: 'Notifikasi datang terlambat.' },
  fault_early: {
    en: 'A notification arrives before the reply of the call that caused it.',
    id: 'Notifikasi tiba sebelum jawaban dari panggilan yang menyebabkannya.',
  },
  fault_forged: {
    en: 'A notification carries a wrong signature.',
    id: 'Notifikasi bertanda tangan palsu.',
  },
  fault_muted: {
    en: 'Notifications are not sent, as if switched off.',
    id: 'Notifikasi diam, seolah dimatikan.',
  },
} satisfies Table
