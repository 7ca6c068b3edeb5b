import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/earnings.ts'

export const earnings: MessagesOf<typeof en.earnings> = {
  title: '收入明细',
  chart: '每日收入（已扣除佣金）',
  earned: '收入',
  range: '时间范围',
  days7: '7 天',
  days30: '30 天',
  days90: '90 天',
  total: '此范围合计',
  average: '日均',
  commission: '佣金',
  node: '节点',
  share: '占比',
  trend: '每日',
  trendOf: (node, amount) => `${node}：此范围内 ${amount}`,
  emptyTitle: '还没有收入',
  emptyText: '订单结算时收入入账，并在此按日期和节点显示。',
  emptyRange: '此范围内没有收入。',
  failed: '无法读取您的收入',
  perNode: '各节点收入',
}
