import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/money.ts'

export const money: MessagesOf<typeof en.money> = {
  toWithdraw: '可提取',
  before: '其中在先前版本的市场合约中',
  separately: (markets) => `收入分存于 ${markets} 个市场合约，将从每一个中提取。`,
  withdrawn: '累计已提取',
  withdraw: '提取',
  withdrawTo: '提取到其他地址',
  withdrawToTitle: '提取到其他地址',
  withdrawToText: (amount) => `您的全部收入（当前 ${amount}）将一次性转入该地址，无法撤回。`,
  recipient: '收款地址',
  nothing: '暂无可提取的金额。结算运行中的订单即可入账已确定的收入。',
  done: (amount) => `已提取 ${amount}`,
  describe: (amount) => `提取 ${amount}`,
  describeTo: (amount, address) => `提取 ${amount} 至 ${address}`,
  failedRead: '读取失败',
}
