import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/common.ts'

export const common: MessagesOf<typeof en.common> = {
  title: '供应商',
  sections: '节点、订单与收入',
  becomeProvider: '成为供应商',
  addNode: '添加节点',
  retry: '重试',
  cancel: '取消',
  save: '保存',
  edit: '编辑',
  actions: '操作',
  detail: '详情',
  none: '无',
  notSet: '未设置',
  loadFailed: '无法读取您的供应商信息',
  readSafe: '平台没有响应。您的节点、订单和资金都在链上，不受影响。',
  chainFailed: '无法读取链上数据',
  chainSafe: '您的资金不受影响。链恢复响应后，数据会立即显示。',
  emptyTitle: '您还不是供应商',
  emptyText: '机器被使用期间，收入按秒累计。资金存放在合约中，只有您能提取。',
  noGas: '您的钱包没有本网络的原生代币来支付 gas。',
  start: {
    begin: '从第 1 步开始',
    register: '填写名称以及买家访问机器的地址。一笔交易即可。',
    nodes: '填写每台机器的配置与各部分的月价格。价格由您决定，节点空闲时可随时修改。',
    pledge: '至少 1 美元，并够付所售机器一天的价款，为您的承诺作保。质押仍归您所有，被订单锁定期间产生利息，订单结束后即可取回。',
  },
}
