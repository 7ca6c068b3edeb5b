import type { MessagesOf } from '../../i18n/defineMessages.ts'
import { plural } from '../../i18n/plural.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  title: '状态',
  listed: (nodes, providers) =>
    `共 ${plural('zh', nodes, { other: '#' })} 台机器，来自 ${plural('zh', providers, { other: '#' })} 家供应商。`,
  clock: '自动更新，最迟于 {time}。',
  clockHint: '列表最迟在此刻重新读取，即从现在起五分钟。实时更新会更早到达。',
  sample: '示例数据',
  sampleText: '暂时无法连接平台。以下为示例数据，并非市场的真实数据。',
  network: '全网概况',
  providers: '供应商',
  machines: '机器',
  online: '在线',
  cpu: 'CPU',
  gpu: 'GPU',
  memory: '内存',
  storage: '存储',
  use: '已用',
  idle: '空闲',
  used: (amount) => `已用 ${amount}`,
  idling: (amount) => `空闲 ${amount}`,
  none: '暂无',
  history: '容量变化',
  resource: '显示内容',
  range: '时间范围',
  ranges: { '24h': '24 小时', '7d': '7 天', '30d': '30 天' },
  listedSeries: '已上架',
  usedSeries: '使用中',
  chart: (resource, range) => `${resource}：${range}内的上架量与使用量。用方向键读取各时刻的数值。`,
  historyShort: '历史数据还不够',
  historyShortText: (step) => `每 ${step}保留一次读数，从第二次起开始绘制曲线。`,
  historyFailed: '无法读取历史数据',
  historyFailedText: '上方的数据不受影响。请稍后重试。',
  nodes: '机器',
  toBuy: '租用机器',
}
