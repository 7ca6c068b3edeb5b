import { formatCredit } from '@rackfair/rules/money'

/** The chain's own currency, six digits after the point, cut towards zero. */
export function NativeAmount({ wei }: { wei: bigint }) {
  return (
    <span className="num" title={formatCredit(wei)}>
      {formatCredit(wei, { max: 6 })} RACK
    </span>
  )
}
