import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  connect: '连接钱包',
  connecting: '连接中…',
  wrongNetwork: '网络不符',
  signIn: '登录',
  account: '账户',
  network: '网络',
  opening: '正在打开钱包',
  unread: '无法读取余额',
  notLoaded: { title: '钱包窗口加载失败', text: '没有向您的钱包发出任何请求。请检查网络后重试。' },
  need: {
    title: '请先连接钱包',
    text: '在这里，钱包就是您的账户：由它签名，也由它保管您未花出的资金。',
    signInTitle: '请先登录',
    signInText: '钱包已连接。签一次名即可证明它属于您，不产生任何费用。',
    networkTitle: '您的钱包在另一个网络上',
    networkText: '本市场运行在另一条链上。请在钱包中切换网络后继续。',
    switch: '切换网络',
  },
}
