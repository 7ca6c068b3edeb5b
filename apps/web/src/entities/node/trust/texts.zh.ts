import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '可信吗？',
  why: '依据',
  verified: '硬件已验证',
  notVerified: '硬件未验证',
  failed: '硬件测试未通过',
  pledged: (amount) => `质押 ${amount}`,
  yours: (amount, provider) => `若 ${provider} 中途取消，其中 ${amount} 归您`,
  uninterrupted: (chance) => `${chance} 的概率 30 天不中断`,
  from: (provider) => `由 ${provider} 提供`,
  providerDetail: '供应商详情',
  state: '代理程序',
  online: '在线',
  away: '离线',
  awaySince: (ago) => `离线，最近一次在线：${ago}`,
  pledge: '质押',
  pledgeFree: '尚未锁定',
  locked: (amount, provider) => `购买时锁定其中 ${amount}。若 ${provider} 中途取消订单，这笔钱归您。`,
  ordersDone: '已完成订单',
  ordersRunning: '运行中订单',
  ordersDropped: '中途取消订单',
  ordersMissed: '从未启动的订单',
}
