import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  problem: '该值不符合应用要求的格式。',
  tooLong: (most) => `最多 ${most} 个字符。`,
  sealed: '这些值会传给应用。它们在本浏览器中加密，途中无人可以读取或更改。',
}
