import type { Table } from './text_table.ts'

/** Faults and what each does. */
export const FAULT_TEXTS = {
  faults_on: { en: 'Faults on: {count}', id: 'Gangguan menyala: {count}' },
  faults_manage: { en: 'Manage', id: 'Kelola' },
  faults_lead: {
    en: 'Make the gateway misbehave, to see whether your service bears it.',
    id: 'Buat gateway bertingkah, untuk melihat apakah layanan Anda tahan.',
  },
  faults_active: { en: 'Switched on', id: 'Yang menyala' },
  faults_calls: { en: 'When the merchant calls', id: 'Saat merchant memanggil' },
  faults_notifications: { en: 'When the merchant is notified', id: 'Saat merchant diberi tahu' },
  no_faults: {
    en: 'No fault is on: everything works.',
    id: 'Tidak ada gangguan: semuanya berjalan.',
  },
  struck: { en: 'struck so far: {count}', id: 'sudah kena: {count}' },
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
  for_ever: { en: 'for ever', id: 'selamanya' },
  rate: { en: 'Chance in %', id: 'Peluang dalam %' },
  after_work: { en: 'after the work was done', id: 'setelah pekerjaan selesai' },
  fault_delay: {
    en: 'Does the work and answers late. The same idempotency key meanwhile gets 202.',
    id: 'Mengerjakan dan terlambat menjawab. Idempotency key yang sama sementara mendapat 202.',
  },
  fault_timeout_before: {
    en: 'Never answers; the work is not done.',
    id: 'Tidak pernah menjawab; tidak dikerjakan.',
  },
  fault_timeout_after: {
    en: 'Never answers, although the work is done.',
    id: 'Tidak pernah menjawab, padahal dikerjakan.',
  },
  fault_drop_before: {
    en: 'Cuts the connection; the work is not done.',
    id: 'Memutus sambungan; tidak dikerjakan.',
  },
  fault_drop_after: {
    en: 'Cuts the connection, although the work is done.',
    id: 'Memutus sambungan, padahal dikerjakan.',
  },
  fault_status: { en: 'Answers with an error code.', id: 'Menjawab dengan kode galat.' },
  fault_html: {
    en: 'Answers with a page instead of JSON.',
    id: 'Menjawab dengan halaman, bukan JSON.',
  },
  fault_truncated_json: {
    en: 'Cuts the right answer in half.',
    id: 'Memotong jawaban yang benar di tengah.',
  },
  fault_wrong_types: {
    en: 'Gives the right answer with wrong JSON types.',
    id: 'Memberi jawaban yang benar dengan tipe JSON yang salah.',
  },
  fault_rate_limited: {
    en: 'Answers 429: too many requests.',
    id: 'Menjawab 429: terlalu banyak permintaan.',
  },
  fault_still_running: {
    en: 'Answers 202: still working on it.',
    id: 'Menjawab 202: masih dikerjakan.',
  },
  fault_redirect: {
    en: 'Sends the caller elsewhere.',
    id: 'Mengalihkan pemanggil ke tempat lain.',
  },
  fault_over_long: {
    en: 'Gives the right answer and megabytes more.',
    id: 'Memberi jawaban yang benar dan bermegabita lagi.',
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
    en: 'Notifications are silent, as if switched off.',
    id: 'Notifikasi diam, seolah dimatikan.',
  },
} satisfies Table
