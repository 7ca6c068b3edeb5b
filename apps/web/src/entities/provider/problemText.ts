import type { FieldProblem, NodeFields, ProviderFields } from '@rackfair/rules/formRules'
import { MAX_COUNT, MAX_GB } from '@rackfair/rules/limits'
import { PRICE_DECIMALS } from '@rackfair/rules/money'
import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { Format } from '../../i18n/format.ts'
import type { en } from './texts.en.ts'

type Texts = MessagesOf<typeof en>['problems']

/** What is wrong with a field, with the limit that it breaks. */
export function problemText(
  texts: Texts,
  format: Format,
  field: keyof NodeFields | keyof ProviderFields,
  problem: FieldProblem | undefined,
): string | undefined {
  if (problem === undefined) return undefined
  switch (field) {
    case 'port':
      return problem === 'required' ? texts.required : texts.port
    case 'name':
      return problem === 'too_long' ? texts.nameLong : texts[problem]
    case 'cpuModel':
    case 'gpuModel':
      return problem === 'too_long' ? texts.modelLong : texts[problem]
    case 'nCPU':
    case 'nGPU':
      if (problem === 'required') return texts.modelNumber
      return problem === 'too_small' ? texts.processor : texts.count(format.number(MAX_COUNT))
    case 'core':
      return problem === 'too_small' ? texts.cores : texts.count(format.number(MAX_COUNT))
    case 'memGb':
      return texts.memoryMost(format.number(MAX_GB))
    case 'diskTb':
      if (problem === 'too_many_decimals') return texts.storageDecimals
      return problem === 'too_large' ? texts.storageMost(format.number(MAX_GB / 1000, 3)) : texts[problem]
    case 'pCPU':
    case 'pGPU':
    case 'pMEM':
    case 'pDISKPerTb':
      if (problem === 'too_small') return texts.price
      if (problem !== 'too_many_decimals') return texts[problem]
      return texts.priceDecimals(String(field === 'pDISKPerTb' ? PRICE_DECIMALS - 3 : PRICE_DECIMALS))
    case 'ip':
    case 'domain':
      return texts[problem]
  }
}
