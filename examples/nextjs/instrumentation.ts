/** Runs once as the server starts. On serverless hosts run `gapura work` elsewhere instead. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { gapuraOfProcess } = await import('./lib/gapura')
  const gapura = gapuraOfProcess()
  await gapura.migrate()
  gapura.subscribe({
    name: 'fulfilment',
    signals: ['payment_settled'],
    handler: ({ object: payment }) => console.log(`send the goods for ${payment.order_id}`),
  })
  await gapura.startWorker()
}
