import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './transactionMessages.en.ts'

export const zh: MessagesOf<typeof en> = {
  waiting: '等待交易',
  waitingText: '交易正在处理中，大约需要 1 分钟。',
}
