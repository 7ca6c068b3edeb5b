import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '访问密钥',
  what: '您的钱包为这些密钥签过名。每个密钥可打开此订单的日志、终端、用量和文件（从机器到浏览器或程序全程加密），打开受保护的应用，并可停止或重新启动它。它们都不能转移资金、部署或清理。',
  own: '此浏览器',
  other: (key) => `密钥 ${key}`,
  until: (date) => `至 ${date}`,
  used: (ago) => `使用于 ${ago}`,
  revoke: '撤销',
  revokeLabel: (name) => `撤销：${name}`,
  askTitle: (name) => `撤销“${name}”的访问权限？`,
  askOwn: '此浏览器会立即失去日志、终端、用量和文件；机器上运行的内容不受影响。钱包随时可以为新密钥签名。',
  askOther: '它的页面和程序会立即失去日志、终端、用量和文件；机器上运行的内容不受影响。同一密钥无法恢复。',
  keep: '保留',
  failed: '无法读取密钥',
  notRevoked: '密钥未能撤销',
  retry: '重试',
}
