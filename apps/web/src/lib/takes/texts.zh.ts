import type { en } from './texts.en.ts'

export const zh: typeof en = {
  title: '可以运行的内容',
  images: '自己的镜像',
  imagesUpTo: (size) => `最大 ${size}，来自任何公开或私有仓库`,
  imagesOf: (size, registries) => `最大 ${size}，来自 ${registries}`,
  noImages: '不接受，仅限目录中的应用',
  ports: 'TCP 和 UDP 端口',
  yes: '有',
  no: '没有',
  ssh: 'SSH',
  sshPort: '有端口',
  sshWorkspace: '仅经由工作区',
  protected: '仅限您使用',
  protectedYes: '可运行仅您能打开的应用',
  protectedNo: '仅限对所有人开放的应用',
  runtime: '容器运行时',
  runtimes: { crun: 'crun', runc: 'runc', runsc: 'gVisor（可选）' },
  blocked: {
    protected: '该应用仅您能打开，而此供应商无法阻止他人访问。',
    images: '此供应商仅接受目录中的应用。',
    registry: (registries) => `此供应商仅接受来自 ${registries} 的镜像。`,
    ports: '此供应商不开放 TCP 或 UDP 端口。',
    gvisor: '此供应商不提供 gVisor 隔离。',
  },
}
