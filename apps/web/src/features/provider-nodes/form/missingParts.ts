import type { NodeFields } from '@rackfair/rules/formRules'
import { type NeededPart, partsLacking } from '@rackfair/rules/node/lacks'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

/**
 * What a machine that has a CPU or a GPU lacks so that hardly anything can run on it. `isSent`: fields that nobody has filled in are none;
 * until then they are not judged.
 */
export function missingParts(fields: NodeFields, isSent: boolean): readonly NeededPart[] {
  const amount = (text: string) => (text.trim() === '' && !isSent ? 1 : Number(plainNumber(text)))
  const has = (text: string) => Number(plainNumber(text)) > 0
  if (!has(fields.nGPU) && !(has(fields.nCPU) && has(fields.core))) return []
  return partsLacking({ nCPU: amount(fields.nCPU), nMEM: amount(fields.memGb), nDISK: amount(fields.diskTb) })
}
