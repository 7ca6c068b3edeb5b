import { defineMessages } from '../i18n/defineMessages.ts'
import { en } from './messages.en.ts'

/** The few words that public pages need; the dialogs have their own. */
export const walletMessages = defineMessages({ en, zh: () => import('./messages.zh.ts') })
