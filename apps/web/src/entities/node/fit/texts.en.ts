import { plural } from '../../../i18n/plural.ts'

export const en = {
  gpu: (need: number, have: number) =>
    have === 0
      ? plural('en', need, { one: 'Needs # GPU; this machine has none.', other: 'Needs # GPUs; this machine has none.' })
      : `Needs ${need} GPUs; this machine has ${have}.`,
  vram: (need: string, have: string) => `Needs GPUs with ${need} each; those of this machine have ${have}.`,
  cores: (need: string, have: string) => `Needs ${need} cores; this machine has ${have}.`,
  memory: (need: string, have: string) => `Needs ${need} of memory; this machine has ${have}.`,
  disk: (need: string, have: string) => `Needs ${need} of disk; this machine has ${have}.`,
  needs: (parts: string) => `needs ${parts}`,
  needGpus: (count: number) => plural('en', count, { one: '# GPU', other: '# GPUs' }),
  needVram: (size: string) => `${size} on each GPU`,
  needCores: (count: number) => plural('en', count, { one: '# core', other: '# cores' }),
  needMemory: (size: string) => `${size} of memory`,
  needDisk: (size: string) => `${size} of disk`,
  otherGpu: (recommended: string, have: string) => `Recommended ${recommended}; this machine has ${have}.`,
  untried: 'not yet run by us',
}
