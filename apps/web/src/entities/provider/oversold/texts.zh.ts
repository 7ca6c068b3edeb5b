import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  parts: { cpu: '处理器核心', memory: '内存', storage: '存储', gpu: 'GPU' },
  short: (parts) => `超售：${parts}`,
  title: '该供应商出售的资源超过其计算机实际拥有的',
  long: (parts) =>
    `据其代理程序报告，该供应商全部机器提供的${parts}合计超过实际拥有的数量。当其他买家也在使用时，您得到的可能少于所付费的，部署也可能被拒绝。`,
}
