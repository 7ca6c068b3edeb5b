import { defineMessages } from '../../i18n/defineMessages.ts'
import { en } from './messages/en/index.ts'

export const providerMessages = defineMessages({ en, zh: () => import('./messages/zh/index.ts') })
