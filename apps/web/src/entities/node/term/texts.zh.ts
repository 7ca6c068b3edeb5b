import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '租多久',
  duration: '时长',
  hint: '1 小时至 120 个月；一个月为 30 天',
  unit: '小时、天或月',
  units: { hour: '小时', day: '天', month: '个月' },
  less: { hour: '减少一小时', day: '减少一天', month: '减少一个月' },
  more: { hour: '增加一小时', day: '增加一天', month: '增加一个月' },
  problem: '请输入整数，时长为 1 小时至 120 个月。',
  ends: (date) => `到期 ${date}`,
  payNow: '现在支付',
  costs: '价格',
  anHour: (price) => `每小时 ${price}`,
  backTomorrow: '明天停止可退回',
  backAfter: (time) => `${time}后停止可退回`,
}
