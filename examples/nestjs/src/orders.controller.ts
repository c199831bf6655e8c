import { Controller, Inject, Param, Post } from '@nestjs/common'
import { PaymentsService } from './payments.service.js'

/** What one order costs; a shop would look it up. */
const PRICE = 150_000

@Controller('orders')
export class OrdersController {
  readonly #payments: PaymentsService

  constructor(@Inject(PaymentsService) payments: PaymentsService) {
    this.#payments = payments
  }

  /** Charges in-process: the same checks as over HTTP, and a second click makes no second charge. */
  @Post(':id/pay')
  async pay(@Param('id') id: string): Promise<{ bank: string | null; va_number: string | null }> {
    const { bank, va_number } = await this.#payments.gapura.api.createCharge(
      { owner_id: 'shop', staff: false, scopes: ['payments:write'] },
      { payment_type: 'bank_transfer', bank: 'bca', order_id: id, gross_amount: PRICE },
      { idempotencyKey: `order-${id}` },
    )
    return { bank, va_number }
  }
}
