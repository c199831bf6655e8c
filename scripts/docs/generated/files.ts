// Every generated file of docs/ as path and text; `npm run generate docs` writes them, a test
// compares them.
import type { PaymentType } from 'gapura'
import { PAYMENT_TYPE } from '../../../packages/service/src/domain/payment_type.ts'
import { apiReferencePage } from './api_reference.ts'
import { configurationPage } from './configuration.ts'
import { errorsPage } from './errors.ts'
import { LANGUAGES, paymentPage, paymentsIndex } from './payments.ts'
import { chargePicture, overviewPicture, statesPicture, webhookPicture } from './pictures.ts'
import { collectAnswers } from './replies.ts'
import { transitionsPage, transitionsPicture } from './transitions.ts'

const isType = (type: string): type is PaymentType => type in PAYMENT_TYPE

export async function generatedFiles(databaseUrl: string): Promise<Map<string, string>> {
  const answers = await collectAnswers(databaseUrl)
  const types = [...answers.keys()].filter(isType)
  const pages = LANGUAGES.flatMap((texts): [string, string][] => [
    [`${texts.folder}/index.md`, paymentsIndex(texts, types)],
    ...[...answers].flatMap(([type, answer]): [string, string][] =>
      isType(type) ? [[`${texts.folder}/${type}.md`, paymentPage(texts, type, answer)]] : [],
    ),
  ])
  return new Map([
    ['docs/reference/transitions.md', transitionsPage()],
    ['docs/api_reference.md', apiReferencePage()],
    ['docs/errors.md', errorsPage()],
    ['docs/configuration.md', configurationPage()],
    ...pages,
    ['docs/images/transitions.svg', transitionsPicture()],
    ['docs/images/states.svg', statesPicture()],
    ['docs/images/charge.svg', chargePicture()],
    ['docs/images/webhook.svg', webhookPicture()],
    ['docs/images/overview.svg', overviewPicture()],
  ])
}
