import type { ReactNode } from 'react'

/**
 * The frame of a screen with the gaps between its sections: full width up to 1280 px, or to 1600 px where a table needs it, which is then
 * printed across the paper.
 */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return <div className={`${wide ? 'wrap-wide print-across' : 'wrap'} flex flex-col gap-6 py-7`}>{children}</div>
}
