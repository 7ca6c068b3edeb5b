import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  addNode: '添加节点',
  sections: '节点、订单与收入',
  tabs: {
    machines: '机器',
    orders: '订单',
    earnings: '收入明细',
    pledge: '质押',
  },
  count: (nodes, sold) => `${nodes} 个节点，已售出 ${sold} 个`,
  chainFailed: '无法读取链上数据',
  chainSafe: '您的资金不受影响。链恢复响应后，数据会立即显示。',
  figures: {
    earningNow: '当前收入',
    perDay: '/天',
    ifAllSold: (amount, sold, nodes) => `已售出 ${sold}/${nodes}，全部售出为 ${amount}`,
    uninterrupted: '30 天不中断',
    seenDays: (days) => `依据监测节点观测的 ${days} 个节点日`,
    notSeen: '监测节点尚未观测到您的机器。',
    notRead: '读取失败',
  },
  next: {
    title: '下一步',
    nothing: '暂无待办：您的机器均在线，且都可售出。',
    guide: '如何启动',
    addNode: '添加机器',
    addPledge: '增加质押',
    settle: '查看订单',
    changePrice: '修改价格',
    setUp: '设置',
    noNodes: { title: '上架第一台机器', reason: '只需一笔交易，填写配置和各部分价格。' },
    agentNever: { title: '从未收到您代理的消息', reason: '代理在您的机器上运行并指定其操作密钥之前，您的节点无法被购买。' },
    agentSilent: {
      title: (length) => `您的代理已 ${length}无响应`,
      costs: (amount) => `其订单每小时收入 ${amount}。监测节点观测到的停机时间不计费，停机满一天将扣除质押。`,
      idle: '代理恢复之前，您的节点无法被购买。',
    },
    gpuProblem: {
      title: (model) => `一块 ${model} 无法使用`,
      reason: (problem) => `${problem}。不会分配给任何订单，其节点已下架。`,
    },
    pledgeBlocks: {
      title: (node) => `${node} 无法售出`,
      reason: (amount) => `售出时会锁定相应的质押，还需要 ${amount} 未锁定的质押。`,
    },
    hot: {
      title: (node) => `${node} 过热`,
      reason: (celsius, limit) => `${celsius} °C，${limit} °C 起降频。买家也能看到。`,
    },
    overdue: { title: (text) => `${text} 个订单已到期`, reason: '结算后即可入账剩余收入，并解除其锁定的质押。' },
    idle: {
      title: (node, length) => `${node} 已空闲 ${length}`,
      never: (node) => `${node} 从未售出`,
      reason: (share, median) => `价格比同类机器的中位数（每月 ${median}）高 ${share}。`,
    },
    noAlerts: { title: '尚未设置提醒', reason: '售出、离线、关闭：通过 Webhook 或邮件通知。' },
  },
  alerts: {
    title: '提醒',
    rules: '规则',
    none: '目前节点售出或代理离线时，您不会收到通知。',
    channels: (count) => `${count} 个通道`,
    quiet: '尚未发送任何消息。',
    unread: '无法读取您的提醒。',
    events: {
      sold: (order) => `订单 ${order}：节点已售出`,
      closed: (order) => `订单 ${order} 已关闭`,
      offline: (order) => (order === '' ? '您的代理曾离线' : `订单 ${order}：机器曾离线`),
      gas: () => '代理的 gas 余额不足',
      pledge: () => '质押不足，无法售出节点',
      failed: (order) => `订单 ${order}：应用失败`,
      ending: (order) => `订单 ${order} 即将到期`,
    },
    states: { sent: '已送达', waiting: '尚未送达，正在重试', failed: '未能送达' },
  },
}
