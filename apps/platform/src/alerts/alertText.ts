import { HOUR_SECONDS, START_SECONDS } from '@rackfair/rules/duration'
import { OrderStatus } from '@rackfair/rules/order/status'
import type { Observation } from './observeAlerts.ts'

export type Locale = 'en' | 'zh'

const CLOSED: Readonly<Record<Locale, Readonly<Record<number, string>>>> = {
  en: {
    [OrderStatus.Completed]: 'it ran to its end',
    [OrderStatus.UserCancelled]: 'its buyer cancelled it',
    [OrderStatus.ProviderCancelled]: 'its provider dropped it',
    [OrderStatus.ProbationRefunded]: 'its buyer left in the first minutes',
  },
  zh: {
    [OrderStatus.Completed]: '订单已到期完成',
    [OrderStatus.UserCancelled]: '买家取消了订单',
    [OrderStatus.ProviderCancelled]: '供应商放弃了订单',
    [OrderStatus.ProbationRefunded]: '买家在最初几分钟内退出',
  },
}

const START_HOURS = START_SECONDS / HOUR_SECONDS

/** One sentence that says what happened, and what to do about it. */
export function alertText({ event, orderId, detail }: Pick<Observation, 'event' | 'orderId' | 'detail'>, locale: Locale): string {
  const how = CLOSED[locale][detail]
  const hours = Math.max(1, Math.round(detail / 3600))
  const minutes = Math.max(1, Math.round(detail / 60))
  const english: Record<typeof event, string> = {
    sold: `A node of yours was sold: order ${orderId}. Your agent must activate it within ${START_HOURS} hours.`,
    closed: `Order ${orderId} is closed${how ? `: ${how}` : ''}.`,
    offline: orderId
      ? `The machine of order ${orderId} has been offline for ${minutes} minutes. What you have paid is safe; cancelling gives the rest of it back.`
      : `Your agent has been offline for ${minutes} minutes. Time in which it does not serve is not paid.`,
    gas: `Your agent's key has almost nothing left for gas: soon it can no longer activate or settle orders. Send it a little of the chain's own currency.`,
    pledge: `${detail === 1 ? 'A node of yours' : `${detail} nodes of yours`} cannot be sold: your free pledge does not back the promise that a sale locks. Pledge more, or lower the price.`,
    failed: `The application of order ${orderId} failed. Its log says why; its data is kept.`,
    ending: `Order ${orderId} ends in ${hours} hours, and its data with it. Extend it, or take your data away.`,
  }
  const chinese: Record<typeof event, string> = {
    sold: `你的一台节点已售出：订单 ${orderId}。代理须在 ${START_HOURS} 小时内激活它。`,
    closed: `订单 ${orderId} 已关闭${how ? `：${how}` : ''}。`,
    offline: orderId
      ? `订单 ${orderId} 的机器已离线 ${minutes} 分钟。已付的款项是安全的，取消订单即可退回余款。`
      : `你的代理已离线 ${minutes} 分钟。未提供服务的时间没有收入。`,
    gas: '代理密钥的 gas 余额即将用尽，届时将无法激活或结算订单。请向其转入少量链上原生代币。',
    pledge: `你有 ${detail} 台节点无法售出：未锁定的质押不足以支撑售出时的承诺。请追加质押或降低价格。`,
    failed: `订单 ${orderId} 的应用失败。原因见其日志，数据仍保留。`,
    ending: `订单 ${orderId} 将在 ${hours} 小时后到期，数据会一并删除。请续期或取走数据。`,
  }
  return (locale === 'zh' ? chinese : english)[event]
}
