import { defineMessages } from '../i18n/defineMessages.ts'
import { en } from './needMessages.en.ts'

/** What a screen that needs a wallet says without one; no public page loads it. */
export const needMessages = defineMessages({ en, zh: () => import('./needMessages.zh.ts') })
