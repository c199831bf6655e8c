import type { PaymentTexts, Unit } from './payment_texts.ts'

const CUSTOM = '`{"expiry_duration": 2, "unit": "hour"}`'
const UNITS: Readonly<Record<Unit, string>> = {
  day: 'hari',
  hour: 'jam',
  minute: 'menit',
  second: 'detik',
}

export const INDONESIAN: PaymentTexts = {
  folder: 'docs/id/payments',
  other: { label: 'English', folder: '../../payments' },
  index: {
    title: 'Metode pembayaran',
    intro:
      'Semua metode memakai request yang sama, `POST /charge/`, dengan status dan signal yang sama. Yang berbeda hanya apa yang dilihat pelanggan, batas waktu pembayarannya, dan apakah refund bisa dilakukan lewat gateway.',
    head: { expires: 'Kedaluwarsa setelah', refund: 'Refund' },
    refunds: { none: 'tidak bisa', partial: 'penuh atau sebagian', full: 'penuh' },
    inputs:
      'Field yang diterima semua metode: `order_id` (dibuatkan otomatis bila tidak diisi), `gross_amount` dalam rupiah bulat, `customer_details`, `item_details` (totalnya harus sama dengan nominal), `metadata`, `custom_fields`. Field yang tidak dikenal oleh suatu metode dijawab 400, jadi salah ketik tidak akan lolos begitu saja. Semua field ada di [openapi.json](../../openapi.json).',
  },
  headings: {
    request: 'Request',
    reply: 'Respons',
    customer: 'Yang dilihat pelanggan',
    expiry: 'Kedaluwarsa',
    refunds: 'Refund',
  },
  rows: {
    required: 'Wajib, selain `payment_type` dan `gross_amount`',
    optional: 'Opsional',
    amount: 'Nominal',
    checks: 'Pengecekan status bila notifikasi tidak datang',
  },
  request: '`POST /charge/` dengan `Idempotency-Key` yang Anda tentukan sendiri untuk order ini:',
  reply:
    '201, diambil dari charge sungguhan ke simulator; field yang null atau kosong tidak ditampilkan di sini:',
  duration: (count, unit) => `${count} ${UNITS[unit]}`,
  amountFrom: (min) => `mulai ${min}`,
  amountBetween: (min, max) => `${min} sampai ${max}`,
  checks: (times, interval) => `${times} setelah charge, lalu setiap ${interval}`,
  expiry: (usual, custom) => {
    const own =
      custom === null
        ? 'Waktunya ditentukan gateway; `custom_expiry` ditolak.'
        : `Bisa diubah dengan \`custom_expiry\`, dari ${custom.min} sampai ${custom.max}: ${CUSTOM}.`
    return `Setelah ${usual}. ${own} Status pembayaran baru menjadi \`expire\` setelah ada laporan dari gateway, tidak pernah berdasarkan jam server kami: \`is_expired\` dalam respons hanya berarti waktu kedaluwarsanya sudah lewat.`
  },
  notRefundable:
    'Tidak bisa lewat gateway: request dijawab 400 [method_not_refundable](../../errors.md#method_not_refundable). Kembalikan dana pelanggan dengan transfer bank, lalu catat di order-nya.',
  refundable: ({ partial, days, others }) =>
    `${partial ? 'Penuh atau sebagian' : 'Hanya penuh'}, setelah statusnya \`settlement\`, selama ${days} hari${others} menurut dokumentasi gateway; keputusan akhir ada di gateway.`,
  direct: {
    yes: 'Dengan `direct: true`, refund langsung diproses oleh acquirer.',
    no: '`direct: true` tidak tersedia.',
    unknown: 'Dokumentasi gateway tidak menyebutkan apakah `direct: true` tersedia.',
    some_acquirers:
      'Dengan `direct: true`, refund langsung diproses oleh acquirer, bila acquirer tersebut mendukungnya.',
  },
  types: {
    credit_card: {
      title: 'Kartu kredit',
      about: 'Visa, Mastercard, JCB, dan lainnya, dengan token yang diambil browser dari gateway.',
      customer: `Browser mengirim nomor kartu langsung ke gateway, memakai client key dan script milik gateway, lalu menerima token yang berlaku untuk satu kali charge. Hanya token itu yang sampai ke server Anda.

Dengan \`authentication\` (default), respons berstatus \`pending\` dan berisi \`redirect_url\`: arahkan pelanggan ke sana untuk 3-D Secure. Setelah itu status pembayaran menjadi \`capture\`, yang sudah dihitung lunas kecuali \`fraud_status\` bernilai \`challenge\`; statusnya menjadi \`settlement\` paling lambat keesokan harinya. Transaksi \`challenge\` disetujui (approve) atau ditolak (deny) oleh staf yang punya scope \`payments:capture\`.

Dengan \`capture: false\`, dana hanya diotorisasi (\`authorize\`); lakukan capture penuh atau sebagian dengan \`POST /payments/{id}/capture/\` dalam tujuh hari.

Dengan \`save_token_id: true\`, gateway menyimpan kartu untuk [langganan](../../subscriptions.md#the-token-of-a-card) dan charge berikutnya. Tanpa 3-D Secure, token kartu ada di \`saved_token_id\`, hanya pada respons pertama; dengan 3-D Secure, token ada di \`GET /payments/{id}/check_status/\` setelah pelanggan lolos verifikasi. Layanan ini tidak menyimpan token tersebut.`,
      refund: 'Sebelum settlement, gunakan cancel: dananya belum berpindah.',
    },
    gopay: {
      title: 'GoPay',
      about: 'Dompet digital Gojek, lewat aplikasinya atau kode QR.',
      customer:
        'Di ponsel, arahkan pelanggan ke `deeplink_url`: aplikasinya terbuka, lalu kembali ke `callback_url`. Di perangkat lain, tampilkan gambar dari `generate-qr-code` di `payer_instructions`. Kembalinya pelanggan ke halaman Anda bukan bukti bayar; tunggu sampai pembayarannya lunas.',
    },
    shopeepay: {
      title: 'ShopeePay',
      about: 'Dompet digital Shopee, lewat aplikasinya di ponsel yang sama.',
      customer:
        'Arahkan pelanggan ke `deeplink_url`; aplikasinya kembali ke `callback_url`. Untuk pelanggan di komputer, tawarkan [QRIS](qris.md), yang juga bisa dipindai dengan ShopeePay.',
    },
    qris: {
      title: 'QRIS',
      about: 'Satu kode QR untuk semua dompet digital dan aplikasi bank di Indonesia.',
      customer:
        'Gambar `qr_string` sebagai kode QR, lebar minimal 240 piksel lengkap dengan tepi putihnya, lalu tampilkan nominal dan sisa waktunya. Banyak pelanggan membayar dengan ponsel yang sama dengan tempat mereka melihat kode itu: sediakan tombol unduh, supaya aplikasi mereka bisa membacanya dari galeri. Semua ini ada di [contoh checkout](../../../examples/checkout).',
      refund:
        'Dana yang berasal dari dompet digital penerbit lain hanya bisa di-refund selama 7 hari.',
    },
    ovo: {
      title: 'OVO',
      about: 'Dompet digital OVO, lewat push notification ke ponsel pelanggan.',
      customer:
        'Aplikasi di ponsel itu meminta konfirmasi pelanggan selama kurang lebih satu menit. Cukup tampilkan ajakan untuk membuka aplikasinya sekarang. Tanpa `payer_phone_number`, nomor telepon di `customer_details` yang dipakai.',
    },
    dana: {
      title: 'DANA',
      about: 'Dompet digital DANA, lewat aplikasi atau halamannya.',
      customer:
        'Arahkan pelanggan ke `deeplink_url`; DANA kembali ke `callback_url`. Gateway tidak bisa mencari charge DANA berdasarkan order id, jadi charge yang responsnya hilang akan menunggu notifikasinya, disertai [alarm](../../runbook.md#stuck-operation).',
    },
    bank_transfer: {
      title: 'Transfer bank',
      about: 'Nomor virtual account di BCA, BNI, BRI, CIMB, atau Permata.',
      customer:
        'Tampilkan nama bank, `va_number` per empat digit dengan tombol salin, nominal yang tepat, dan waktu kedaluwarsa beserta zona waktunya. Pelanggan bisa transfer lewat channel mana pun dari bank itu; nominalnya sudah tetap, jadi tidak mungkin salah ketik. `va_number` di request mengusulkan nomor pilihan Anda sendiri, bila gateway mengizinkan.',
    },
    echannel: {
      title: 'Mandiri Bill Payment',
      about: 'Tagihan di Bank Mandiri: dua kode, bukan nomor rekening.',
      customer:
        'Tampilkan `biller_code` dan `bill_key`, masing-masing dengan tombol salin. Di aplikasi bank: Bayar, Multipayment, lalu masukkan kedua kode itu.',
    },
    cstore: {
      title: 'Gerai retail',
      about: 'Bayar tunai di kasir Indomaret atau Alfamart.',
      customer:
        'Tampilkan `payment_code`, sebagai teks dan sebagai barcode Code 128, beserta nominal dan batas waktunya. Pembayaran yang terlambat di kasir bisa saja masuk setelah kedaluwarsa: lihat [late money](../../runbook.md#late-money).',
    },
    akulaku: {
      title: 'Akulaku',
      about: 'PayLater Akulaku, di halamannya sendiri.',
      customer:
        'Arahkan pelanggan ke `redirect_url`; di sana Akulaku yang memutuskan persetujuan kreditnya. Data item dan pelanggan wajib diisi, dan total item harus sama dengan nominal.',
    },
    kredivo: {
      title: 'Kredivo',
      about: 'PayLater Kredivo, di halamannya sendiri.',
      customer:
        'Arahkan pelanggan ke `redirect_url`; di sana Kredivo yang memutuskan persetujuan kreditnya. Data item dan pelanggan wajib diisi, dan total item harus sama dengan nominal.',
    },
  },
}
