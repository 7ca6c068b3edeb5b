import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  connect: '连接钱包',
  title: '连接钱包',
  connecting: '连接中…',
  wrongNetwork: '网络不符',
  signIn: '登录',
  account: '账户',
  network: '网络',
  opening: '正在打开钱包',
  unread: '无法读取余额',
  notLoaded: { title: '钱包窗口加载失败', text: '没有向您的钱包发出任何请求。请检查网络后重试。' },
}
