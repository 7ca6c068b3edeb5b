import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  visit: '访问',
  askTitle: (app) => `打开 ${app}`,
  askText: '只有拥有该订单的钱包才能打开此应用。钱包签名一次，同意由此浏览器打开和使用，最长七天有效。不收取费用，也不转移资金。',
  sign: '签名并打开',
  signing: '请在钱包中签名……',
  cancel: '取消',
  readyTitle: '钱包已签名',
  readyText: '此浏览器现在可以打开该应用。下次点击“访问”会直接打开。',
  pressText: '准备时间过长，浏览器需要您再点击一次才能打开新标签页。',
  open: (app) => `打开 ${app}`,
  error: '应用未能打开',
}
