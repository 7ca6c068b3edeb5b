import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  terminals: '终端',
  name: (number) => `终端 ${number}`,
  close: (name) => `关闭${name}并结束其中的程序`,
  add: '新建终端',
  addMost: (most) => `最多 ${most} 个终端，请先关闭一个。`,
  input: (name) => `${name}，输入命令`,
  size: (columns, rows) => `${columns} × ${rows}`,
  opening: '正在打开 Shell…',
  open: '已连接',
  lostSince: (time) => `自 ${time} 起未连接；Shell 仍在运行`,
  anew: '之前的 Shell 已结束：应用或机器的代理已重新启动。这是新的 Shell。',
  ended: 'Shell 已结束。',
  taken: '此 Shell 已在另一个窗口中打开。',
  idle: 'Shell 已关闭：长时间无人使用。',
  again: '打开新的 Shell',
  takeBack: '取回',
  failed: '无法打开 Shell',
  keep: '重新加载后仍在。按 Ctrl+F6 可用键盘离开。',
  keys: '此键盘可能没有的按键',
  sealed: '端到端加密',
}
