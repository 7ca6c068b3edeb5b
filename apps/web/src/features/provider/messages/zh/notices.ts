import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/notices.ts'

export const notices: MessagesOf<typeof en.notices> = {
  confirm: '请在钱包中确认',
  confirmOf: (step, steps) => `请在钱包中确认（第 ${step} 笔，共 ${steps} 笔）`,
  pending: '等待交易确认',
  provider: '创建供应商已提交成功',
  providerText: '完成交易需要几分钟时间。',
  revised: '供应商信息已更新',
  revisedText: '可能需要几分钟，整个市场才会显示此更改。',
  node: '创建节点已提交成功',
  nodeText: '完成交易需要几分钟时间。',
  nodeEdited: '节点已更新',
  pledge: '质押已提交成功',
  pledgeText: '完成交易需要几分钟时间。',
  unpledge: '解除质押已提交成功',
  describeRegister: (name) => `注册供应商 ${name}`,
  describeRevise: (name) => `编辑供应商 ${name}`,
  describeAddNode: '添加节点',
  describeEditNode: (node) => `编辑 ${node}`,
}

export const funds: MessagesOf<typeof en.funds> = {
  title: '您的钱包还无法支付 gas',
  text: '在此开发网络上，水龙头免费发放测试 Credit 和 gas。',
  elsewhere: '请先向您的钱包转入少量本网络的原生代币。',
  get: '领取测试 Credit 和 gas',
  got: '测试 Credit 和 gas 正在发往您的钱包',
  failed: '水龙头未能发放',
}
