import type { ReactNode } from 'react'

/** The frame of a screen: full width up to 1280 px, with the gaps between its sections. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="wrap flex flex-col gap-6 py-7">{children}</div>
}
