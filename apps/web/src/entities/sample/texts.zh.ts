import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  short: '示例',
  title: '本地市场的示例',
  long: '在本机运行真实的容器；所列硬件仅为模拟。',
}
