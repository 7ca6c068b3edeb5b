import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type * as en from '../en/details.ts'

export const details: MessagesOf<typeof en.details> = {
  title: '基本信息',
  name: '名称',
  ip: 'IP',
  port: '端口',
  domain: '域名',
  address: '地址',
  agent: '代理程序',
  agentOnline: '在线',
  agentSeen: (ago) => `离线，上次心跳：${ago}`,
  agentNever: '从未上线',
  operator: '操作密钥',
  operatorNone: '无',
  operatorChange: '更换操作密钥',
  operatorSet: '指定操作密钥',
  editTitle: '编辑供应商',
  editText: '正在运行的订单不受影响。交易确认后，买家将通过新地址访问您的机器。',
  unchanged: '尚未做任何修改。',
  nameHint: '节点以此命名：名称-1、名称-2……',
  ipHint: '买家访问您网关所用的公网地址。',
  portHint: '1 至 65535；代理程序的网关默认监听 7070 端口。',
  domainHint: '选填。拥有自己的域名时，每个应用都有独立的访问地址。',
}

export const operator: MessagesOf<typeof en.operator> = {
  title: '代理程序的操作密钥',
  what: '您机器上的代理程序用它自己的密钥签名，因此钱包私钥无需放在机器上。操作密钥可以启动订单、标记应用已部署、切换节点上下线，但绝不能转移资金、修改价格或动用您的质押。',
  where: '代理程序在初始化时会显示其操作地址。在您指定新的密钥之前，持有该密钥者可以代您操作节点。',
  label: '操作地址',
  hint: '0x 加 40 位十六进制字符',
  current: '当前指定：',
  problems: {
    invalid: '这不是有效的地址。',
    zero: '这是零地址，不属于任何人。',
    same: '该密钥已被指定。',
    own: '这是您自己的钱包，无需指定。',
  },
  appoint: '指定操作密钥',
  dismiss: '撤销操作密钥',
  dismissWhat: '没有操作密钥，代理程序无法自行启动新订单。',
  appointed: '操作密钥已指定',
  dismissed: '操作密钥已撤销',
  describeSet: (address) => `指定操作密钥 ${address}`,
  describeDismiss: '撤销操作密钥',
}

export const reach: MessagesOf<typeof en.reach> = {
  test: '测试地址',
  knocking: (place) => `平台正在连接 ${place}，并要求证明操作密钥 …`,
  failed: '未能测试该地址',
  outcomes: {
    reachable: {
      title: (place) => `您的代理程序在 ${place} 应答`,
      next: (milliseconds) => `它在 ${milliseconds} 毫秒内证明了您的操作密钥。买家可以访问其应用。`,
    },
    refused: {
      title: (place) => `${place} 没有程序监听`,
      next: '机器可以连通，但没有程序监听此端口。请启动代理程序，或用“编辑供应商”登记其网关的端口。',
    },
    timed_out: {
      title: (place) => `${place} 没有应答`,
      next: '防火墙或路由器丢弃了数据包，或者机器已关机。请为 TCP 开放此端口；若在路由器之后，请将其转发到该机器。',
    },
    no_route: {
      title: (place) => `无法到达 ${place}`,
      next: '平台的网络无法到达此地址。请确认它是您机器的公网地址；如果是 IPv6，请改为登记 IPv4 地址。',
    },
    not_this_agent: {
      title: (place) => `${place} 应答的不是您的代理程序`,
      next: '该处有程序监听，但未能证明您的操作密钥。请确认这是代理程序网关的端口，并且上面的操作密钥就是代理程序所显示的那一个。',
    },
    not_public: {
      title: (place) => `${place} 不在互联网上`,
      next: '只有您自己网络中的机器才能到达它，因此未作尝试。请用“编辑供应商”登记该机器的公网地址。',
    },
  },
}
