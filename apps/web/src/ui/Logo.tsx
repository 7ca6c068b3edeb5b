export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 22 22" className="size-6">
      <rect x="1" y="1" width="20" height="5" rx="1.5" className="fill-ink" />
      <rect x="1" y="8.5" width="20" height="5" rx="1.5" className="fill-accent" />
      <rect x="1" y="16" width="20" height="5" rx="1.5" className="fill-ink" />
      <circle cx="17.5" cy="11" r="1.3" className="fill-paper" />
    </svg>
  )
}
