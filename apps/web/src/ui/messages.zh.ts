import type { MessagesOf } from '../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  close: '关闭',
  retry: '重试',
  copy: '复制',
  copied: '已复制',
  loading: '加载中',
  loadMore: '加载更多',
  previous: '上一页',
  next: '下一页',
  pageOf: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
  details: '详情',
  opensNewTab: '在新标签页打开',
  dismiss: '关闭通知',
  notifications: '通知',
  breadcrumb: '路径导航',
  noSuggestions: '没有建议项，将使用您输入的内容。',
  stepDone: '已完成',
  stepNow: '进行中',
  stepFailed: '失败',
  stepNext: '待进行',
  sortedUp: '已按从小到大排序',
  sortedDown: '已按从大到小排序',
  showSecret: '显示',
  hideSecret: '隐藏',
  actions: '操作',
}
