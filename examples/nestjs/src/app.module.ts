import { Module } from '@nestjs/common'
import { OrdersController } from './orders.controller.js'
import { PaymentsService } from './payments.service.js'

@Module({ controllers: [OrdersController], providers: [PaymentsService] })
export class AppModule {}
