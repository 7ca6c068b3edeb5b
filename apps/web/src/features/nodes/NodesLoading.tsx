const rows = (count: number) => Array.from({ length: count }, (_, index) => `loading-${index}`)
const CELLS = [
  ['name', 'w-28'],
  ['region', 'w-6'],
  ['gpu', 'w-36'],
  ['cpu', 'w-16'],
  ['memory', 'w-14'],
  ['storage', 'w-14'],
  ['reliability', 'w-28'],
  ['unit', 'w-20'],
  ['price', 'w-20'],
  ['actions', 'w-24'],
] as const

/** Holds the place of the machines in rows or cards of their final size; the window's width alone decides, so that no script is needed. */
export function NodesLoading() {
  return (
    <div aria-hidden>
      <div className="max-lg:hidden">
        <div className="h-9 border-b border-line" />
        {rows(13).map((key) => (
          <div key={key} className="flex h-11 items-center justify-between gap-4 border-b border-line">
            {CELLS.map(([cell, width]) => (
              <span key={cell} className={`block h-4 animate-pulse rounded-sm bg-slot ${width}`} />
            ))}
          </div>
        ))}
      </div>
      <div className="lg:hidden">
        {rows(4).map((key) => (
          <div key={key} className="flex h-40 flex-col justify-center gap-3 border-b border-line">
            <span className="block h-5 w-36 animate-pulse rounded-sm bg-slot" />
            <span className="block h-5 w-52 animate-pulse rounded-sm bg-slot" />
            <span className="block h-5 w-44 animate-pulse rounded-sm bg-slot" />
            <span className="block h-9 w-full animate-pulse rounded-sm bg-slot" />
          </div>
        ))}
      </div>
    </div>
  )
}
