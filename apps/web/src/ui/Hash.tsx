import { shortAddress } from '@rackfair/rules/text/shortText'
import { Copyable } from './Copyable.tsx'
import { ExternalLink } from './ExternalLink.tsx'

/** A transaction hash: a link to the explorer where there is one, else copyable text. */
export function Hash({ value, explorerUrl }: { value: string; explorerUrl?: string | null | undefined }) {
  if (!explorerUrl) return <Copyable value={value}>{shortAddress(value)}</Copyable>
  return (
    <ExternalLink to={`${explorerUrl.replace(/\/$/, '')}/tx/${value}`}>
      <span className="num">{shortAddress(value)}</span>
    </ExternalLink>
  )
}
