import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '租多久',
  duration: '时长',
  hint: '1 至 120 个月；一个月为 30 天',
  less: '减少一个月',
  more: '增加一个月',
  months: '个月',
  problem: '请输入 1 到 120 之间的整数月数。',
  monthsOf: (count) => `${count} 个月`,
  monthOf: '1 个月',
  ends: (date) => `到期 ${date}`,
  payNow: '现在支付',
  costs: '价格',
  anHour: (price) => `每小时 ${price}`,
  backTomorrow: '明天停止可退回',
}
