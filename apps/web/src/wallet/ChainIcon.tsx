import { chainLook } from './chainLook.ts'

/** The picture of a network of the market; nothing for another one. */
export function ChainIcon({ chainId }: { chainId: number }) {
  const look = chainLook(chainId)
  if (!look) return null
  return (
    <span className="grid size-5 shrink-0 place-items-center rounded-full" style={{ background: look.iconBackground }}>
      <img src={look.iconUrl} alt="" className="size-3" />
    </span>
  )
}
