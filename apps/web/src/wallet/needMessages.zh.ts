import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './needMessages.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '请先连接钱包',
  text: '在这里，钱包就是您的账户：由它签名，也由它保管您未花出的资金。',
  signInTitle: '请先登录',
  signInText: '钱包已连接。签一次名即可证明它属于您，不产生任何费用。',
  networkTitle: '您的钱包在另一个网络上',
  networkText: '本市场运行在另一条链上。请在钱包中切换网络后继续。',
  switch: '切换网络',
}
