import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/wizard.ts'

export const wizard: MessagesOf<typeof en.wizard> = {
  title: '成为供应商',
  lead: '三笔交易，您的机器即可上架。',
  label: '成为供应商的步骤',
  step1: '注册供应商',
  step2: '添加节点',
  step3: '质押',
  stepDone: '已完成',
  addProvider: '添加供应商',
  registered: '此钱包已注册为供应商。',
  next: '下一步',
  previous: '上一步',
  nextNeedsProvider: '请先注册供应商。',
  finish: '前往我的供应商页面',
  nodesListed: '您的节点',
  nodesNone: '还没有上架节点。填写表单并点击“添加节点”。',
  agentTitle: '您的节点已上架',
  agentText: '在机器上运行代理程序并指定其操作密钥后，节点将显示为在线。具体命令见供应商指南。',
  agentGuide: '供应商指南',
  kept: '您填写的内容保存在此标签页中，可随时刷新页面。',
}
