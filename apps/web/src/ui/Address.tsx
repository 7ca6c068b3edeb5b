import { shortAddress } from '@rackfair/rules/text/shortText'
import { Copyable } from './Copyable.tsx'

/** An address, first and last four characters unless `full`; copies the whole. */
export function Address({ value, full = false }: { value: string; full?: boolean }) {
  return <Copyable value={value}>{full ? value : shortAddress(value)}</Copyable>
}
