import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/problems.ts'

export const problems: MessagesOf<typeof en.problems> = {
  required: '必填。',
  not_a_number: '请输入数字，小数用点分隔。',
  not_whole: '请输入整数。',
  too_small: '数值过小。',
  too_large: '数值过大。',
  too_long: '内容过长。',
  too_many_decimals: '小数位过多。',
  not_an_address: '请输入 IPv4 或 IPv6 地址；域名请填在域名栏。',
  not_a_domain: '请输入域名，例如 gpu.example.com。',
  port: '请输入 1 至 65535 之间的整数。',
  count: (most) => `请输入整数，最大 ${most}。`,
  cores: '有 CPU 的机器，每个 CPU 至少有一个核心。',
  processor: '节点至少需要一个 CPU 或 GPU。',
  price: '节点不能免费提供：请至少设置一项价格。',
  priceDecimals: (most) => `最多 ${most} 位小数。`,
  storageDecimals: '最多三位小数（1 TB = 1000 GB）。',
  storageMost: (most) => `最多 ${most} TB。`,
  memoryMost: (most) => `最多 ${most} GB，且须为整数。`,
  modelLong: '最多 31 字节。',
  nameLong: '最多 64 字节。',
}
