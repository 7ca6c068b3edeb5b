import type { OversoldPart } from '@rackfair/rules/node/node'
import { Notice } from '../../../ui/Notice.tsx'
import { useOversoldText } from './useOversoldText.ts'

/** Warns a buyer about a provider whose nodes together offer more than its machine has. */
export function OversoldNotice({ parts }: { parts: readonly OversoldPart[] | undefined }) {
  const oversold = useOversoldText(parts)
  if (!oversold) return null
  return (
    <Notice tone="warn" title={oversold.title}>
      {oversold.long}
    </Notice>
  )
}
