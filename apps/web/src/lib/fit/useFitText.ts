import type { Lack, PresetFit } from '@rackfair/core'
import { defineMessages } from '../../i18n/defineMessages.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
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
      case 'cores':
        return text.cores(format.number(part.need), format.number(part.have))
      case 'memory':
        return text.memory(format.gigabytes(part.need), format.gigabytes(part.have))
      case 'disk':
        return text.disk(format.gigabytes(part.need), format.gigabytes(part.have))
    }
  }
  return {
    /** Empty where everything is enough. */
    lacks: ({ lacks }: PresetFit) => lacks.map(lack).join(' '),
    otherGpu: ({ otherGpu }: PresetFit) => otherGpu && text.otherGpu(otherGpu.recommended, otherGpu.have),
    untried: text.untried,
  }
}
