import { defineMessages } from '../../../i18n/defineMessages.ts'
import { en } from './texts.en.ts'

export const trustTexts = defineMessages({ en, zh: () => import('./texts.zh.ts') })
