import { defineMessages } from '../../i18n/defineMessages.ts'
import { en } from './messages.en.ts'

export const ownMessages = defineMessages({ en, zh: () => import('./messages.zh.ts') })
