import { defineMessages } from '../../i18n/defineMessages.ts'
import { en } from './texts.en.ts'

/** Of machines whose own agent says that their hardware is only pretended. */
export const sampleTexts = defineMessages({ en, zh: () => import('./texts.zh.ts') })
