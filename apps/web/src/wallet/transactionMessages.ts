import { defineMessages } from '../i18n/defineMessages.ts'
import { en } from './transactionMessages.en.ts'

/** What every transaction says; no public page loads it. */
export const transactionMessages = defineMessages({ en, zh: () => import('./transactionMessages.zh.ts') })
