import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './messages.en.ts'

export const zh: MessagesOf<typeof en> = {
  restart: {
    title: (app) => `重新启动 ${app}？`,
    text: '应用会停止并再次启动。订单磁盘上的内容全部保留；已打开的连接和终端会中断，数秒内无法响应。',
    do: '重新启动',
    done: (app) => `${app} 正在重新启动`,
  },
  stop: {
    title: (app) => `停止 ${app}？`,
    text: '应用会结束，直到您再次启动。订单磁盘上的内容全部保留。订单继续有效并继续计费；如不想继续付费，请取消订单。',
    do: '停止',
    done: (app) => `${app} 已停止`,
  },
  start: {
    title: (app) => `启动 ${app}？`,
    text: '应用会使用订单磁盘上保留的数据启动。',
    do: '启动',
    done: (app) => `${app} 正在启动`,
  },
  redeploy: {
    title: (app) => `保留数据重新部署 ${app}？`,
    text: '将用同一镜像和设置重新创建容器。',
    kept: (folders) => `保留：${folders}。`,
    keptNone: '没有可保留的内容：应用在订单磁盘上没有目录。',
    lost: '丢失：写在容器其他位置的全部内容。',
    do: '重新部署',
    done: (app) => `${app} 正在重新部署`,
  },
  restartService: '该服务会停止并再次启动，其他服务继续运行。它保存在订单磁盘上的内容不变。',
  keep: '保持不变',
  failed: '未能完成',
}
