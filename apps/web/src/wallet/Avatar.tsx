import { useState } from 'react'
import type { ColorName } from '../styles/tokens.ts'

const FILLS: readonly ColorName[] = ['accent', 'ink', 'run', 'idle', 'warn', 'bad']

export interface AvatarProps {
  address: string
  /** From the account's ENS name; its host learns nothing of this page but that it was asked. */
  picture?: string | null | undefined
  large?: boolean
}

/** The picture of the account's name; without one, or when it does not arrive, a pattern of its own for each address. */
export function Avatar({ address, picture, large = false }: AvatarProps) {
  const [missing, setMissing] = useState<string>()
  if (!picture || picture === missing) return <Pattern address={address} large={large} />
  return (
    <img
      src={picture}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setMissing(picture)}
      className={`shrink-0 rounded-md bg-sunk object-cover ${large ? 'size-14' : 'size-5'}`}
    />
  )
}

/** Five by five, mirrored, drawn from the digits of the address. */
function Pattern({ address, large }: { address: string; large: boolean }) {
  const digits = [...address.toLowerCase().slice(2)].map((digit) => Number.parseInt(digit, 16))
  const color = FILLS[(digits[0] ?? 0) % FILLS.length]
  const cells = Array.from({ length: 25 }, (_, index) => {
    const x = index % 5
    const y = Math.floor(index / 5)
    const on = (digits[1 + y * 3 + Math.min(x, 4 - x)] ?? 0) > 7
    return on ? `M${x + 1} ${y + 1}h1v1h-1z` : ''
  })
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 7 7"
      shapeRendering="crispEdges"
      className={`shrink-0 rounded-md bg-sunk ${large ? 'size-14' : 'size-5'}`}
    >
      <path d={cells.join('')} style={{ fill: `var(--${color})` }} />
    </svg>
  )
}
