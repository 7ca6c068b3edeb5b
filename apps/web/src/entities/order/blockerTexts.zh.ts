import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { en } from './blockerTexts.en.ts'

export const zh: MessagesOf<typeof en> = {
  not_connected: '请连接该订单所属的钱包。',
  not_buyer: '该订单属于另一个钱包。',
  not_provider: '只有该订单的供应商可以执行此操作。',
  not_started: '该订单尚未开始计时。',
  start_missed: '供应商未按时启动该订单。取消即可全额退款。',
  started: '该订单已经开始计时。',
  ended: '该订单的时长已用完。',
  closed: '该订单已结束。',
  no_probation: '该订单的试用期已过。',
  not_dropped: '供应商至今履行了该订单：已启动，且未曾离线满一天。',
  nothing_final: '暂无新的确定收入；收入在保留期过后才最终确定。',
  tooLong: (most) => `剩余时长最多 120 个月，您最多还可增加 ${most}。`,
  tooLongNone: '剩余时长最多 120 个月，该订单已达上限。',
  switched_off: '供应商已关闭这台机器，无法续期。',
  reading: '正在读取订单…',
  under_way: '部署正在进行。失败或结束后即可再次部署。',
  runningApp: (app) => `该订单上正在运行 ${app}，请先清理。`,
  running: '该订单上正在运行一个应用，请先清理。',
  no_page: '此应用没有可访问的网页，其端口列在订单页面上。',
  stopped: '此应用已停止，请先启动。',
  finished: '该任务已结束，其日志和文件列在订单页面上。',
  not_stopped: '此应用没有停止。',
  nothing_deployed: '这台机器上没有应用。',
}
