import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { readConfig } from 'gapura'
import { AppModule } from './app.module.js'
import { PaymentsService } from './payments.service.js'

const app = await NestFactory.create(AppModule)
app.enableShutdownHooks()
// Here and not in a module: before Nest's own body parser, which comes with listen.
app.use('/pay', app.get(PaymentsService).gapura.nodeHandler)
await app.listen(readConfig().port, '127.0.0.1')
