import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from './texts.en.ts'

export const zh: MessagesOf<typeof en> = {
  gpu: (need, have) => (have === 0 ? `需要 ${need} 块 GPU，这台机器没有 GPU。` : `需要 ${need} 块 GPU，这台机器有 ${have} 块。`),
  vram: (need, have) => `每块 GPU 需要 ${need} 显存，这台机器的为 ${have}。`,
  cores: (need, have) => `需要 ${need} 核，这台机器有 ${have} 核。`,
  memory: (need, have) => `需要 ${need} 内存，这台机器有 ${have}。`,
  disk: (need, have) => `需要 ${need} 磁盘，这台机器有 ${have}。`,
  needs: (parts) => `需要 ${parts}`,
  needGpus: (count) => `${count} 块 GPU`,
  needVram: (size) => `每块 GPU ${size} 显存`,
  needCores: (count) => `${count} 核`,
  needMemory: (size) => `${size} 内存`,
  needDisk: (size) => `${size} 磁盘`,
  otherGpu: (recommended, have) => `推荐 ${recommended}，这台机器为 ${have}。`,
  untried: '我们尚未运行过',
}
