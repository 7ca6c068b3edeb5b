import type { Lack, PresetFit } from '@rackfair/rules/node/fit'
import { defineMessages } from '../../../i18n/defineMessages.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { en } from './texts.en.ts'

const bundle = defineMessages({ en, zh: () => import('./texts.zh.ts') })

/** What a machine has too little of for an application, and what else a person should know before choosing it, as sentences. */
export function useFitText() {
  const text = useMessages(bundle)
  const format = useFormat()
  const lack = (part: Lack): string => {
    switch (part.kind) {
      case 'gpu':
        return text.gpu(part.need, part.have)
      case 'vram':
        return text.vram(format.gigabytes(part.need), format.gigabytes(part.have))
      case 'cores':
        return text.cores(format.number(part.need), format.number(part.have))
      case 'memory':
        return text.memory(format.gigabytes(part.need), format.gigabytes(part.have))
      case 'disk':
        return text.disk(format.gigabytes(part.need), format.gigabytes(part.have))
    }
  }
  const need = (part: Lack): string => {
    switch (part.kind) {
      case 'gpu':
        return text.needGpus(part.need)
      case 'vram':
        return text.needVram(format.gigabytes(part.need))
      case 'cores':
        return text.needCores(part.need)
      case 'memory':
        return text.needMemory(format.gigabytes(part.need))
      case 'disk':
        return text.needDisk(format.gigabytes(part.need))
    }
  }
  return {
    /** Empty where everything is enough. */
    lacks: ({ lacks }: PresetFit) => lacks.map(lack).join(' '),
    /** What it asks for beyond what the machine has, for a place where the machine's own figures stand too. Empty as above. */
    needs: ({ lacks }: PresetFit) => (lacks.length === 0 ? '' : text.needs(format.list(lacks.map(need)))),
    otherGpu: ({ otherGpu }: PresetFit) => otherGpu && text.otherGpu(otherGpu.recommended, otherGpu.have),
    untried: text.untried,
  }
}
