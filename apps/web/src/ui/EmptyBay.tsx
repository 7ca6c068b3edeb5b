/** A rack with a bay in which nothing stands: drawn where there is nothing to show. */
export function EmptyBay() {
  return (
    <svg aria-hidden="true" viewBox="0 0 132 68" fill="none" strokeWidth="1.4" className="h-18 w-32 stroke-ink-3">
      <path d="M4 2v64M128 2v64" className="stroke-line-2" strokeWidth="4" />
      <rect x="10" y="4" width="112" height="16" rx="3" className="stroke-line-2" />
      <rect x="10" y="48" width="112" height="16" rx="3" className="stroke-line-2" />
      <path d="M28 12h40M28 56h28" className="stroke-line-2" />
      <circle cx="19" cy="12" r="2.5" className="fill-line-2 stroke-none" />
      <circle cx="19" cy="56" r="2.5" className="fill-line-2 stroke-none" />
      <rect x="10" y="26" width="112" height="16" rx="3" strokeDasharray="5 4" />
      <path d="M61 34h10M66 29v10" className="stroke-accent" strokeLinecap="round" />
    </svg>
  )
}
