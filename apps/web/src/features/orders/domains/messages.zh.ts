import type { en } from './messages.en.ts'

export const zh: typeof en = {
  title: '自有域名',
  how: '用 CNAME 记录让您的域名指向这里：',
  apex: (name) => `无法设置 CNAME 时（如根域名）：把 A 和 AAAA 记录设为此名称的地址，并添加内容为此名称的 TXT 记录 ${name}。`,
  none: '还没有域名指向这里。',
  served: '已生效',
  waiting: '等待边缘节点查到记录',
  add: '添加域名',
  label: '域名',
  hint: '请在设置好记录后添加。首位访客到来时，机器会取得证书。',
  save: '添加',
  cancel: '取消',
  remove: '移除',
  removeLabel: (domain) => `移除 ${domain}`,
  notRemoved: '域名未能移除',
  what: '订单结束时域名随之失效，届时请删除该记录。',
}
