import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  skip: '跳到正文',
  menu: '主菜单',
  openMenu: '打开菜单',
  closeMenu: '关闭菜单',
  home: '首页',
  status: '状态',
  myOrders: '我的订单',
  provider: '供应商',
  docs: '文档',
  language: '语言：切换到 English',
  languageFailed: {
    title: '未能加载中文文本',
    text: '页面保持英文，其他内容没有变化。请在网络恢复后重试。',
  },
  theme: {
    system: '主题：跟随设备。切换到浅色',
    light: '主题：浅色。切换到深色',
    dark: '主题：深色。切换到跟随设备',
  },
  live: { connecting: '正在连接实时更新', live: '实时', polling: '实时更新暂不可用，每 5 分钟重新读取一次' },
  loading: '加载中',
  newsletter: {
    title: '每月一次，新机器与价格',
    label: '电子邮箱',
    placeholder: 'you@example.com',
    subscribe: '订阅',
    thanks: '谢谢。如果邮箱无误，您已加入订阅。',
    invalid: '这看起来不是有效的电子邮箱。',
    failed: '未能保存该邮箱，没有发送任何内容，请重试。',
    tooMany: '尝试次数过多，请等一分钟。',
  },
  footer: {
    line: 'Rackfair 是独立供应商的市场。资金只由合约保管，没有其他人经手。',
    contact: '联系方式',
    social: '社交链接',
    version: (version) => `版本 ${version}`,
  },
  notFound: {
    title: '找不到页面',
    text: (path) => `${path} 没有内容。地址可能有误，或页面已经移动。`,
    home: '回到首页',
    machines: '查看机器',
  },
  crashed: {
    title: '页面停止工作',
    text: '您的资金和订单都在链上，不受影响。请重新加载页面；如果再次出现，请告诉我们您做了什么。',
    unexpected: '出现了意料之外的错误',
    missing: '页面的一部分未能加载',
    missingText: '您的资金和订单都在链上，不受影响。请检查网络连接，然后重新加载页面。',
    reload: '重新加载',
  },
}
