import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { createGapura, readConfig, type RunningWorker } from 'gapura'

@Injectable()
export class PaymentsService implements OnModuleInit, OnApplicationShutdown {
  readonly gapura = createGapura(readConfig().gapura)
  readonly #log = new Logger(PaymentsService.name)
  #worker: RunningWorker | undefined

  async onModuleInit(): Promise<void> {
    await this.gapura.migrate()
    this.gapura.subscribe({
      name: 'fulfilment',
      signals: ['payment_settled'],
      handler: ({ object: payment }) => this.#log.log(`send the goods for ${payment.order_id}`),
    })
    this.#worker = await this.gapura.startWorker()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#worker?.stop()
    await this.gapura.close()
  }
}
