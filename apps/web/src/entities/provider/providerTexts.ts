import { defineMessages } from '../../i18n/defineMessages.ts'
import { en } from './texts.en.ts'

/** What several features of a provider say. */
export const providerTexts = defineMessages({ en, zh: () => import('./texts.zh.ts') })
