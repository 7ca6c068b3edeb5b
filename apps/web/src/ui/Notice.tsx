import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const LOOKS = {
  info: { icon: Info, box: 'border-line-2 bg-sunk', mark: 'text-ink-2' },
  good: { icon: CircleCheck, box: 'border-idle bg-idle-soft', mark: 'text-idle' },
  warn: { icon: TriangleAlert, box: 'border-warn bg-warn-soft', mark: 'text-warn' },
  bad: { icon: OctagonAlert, box: 'border-bad bg-bad-soft', mark: 'text-bad' },
} as const

export interface NoticeProps {
  tone?: keyof typeof LOOKS
  title?: ReactNode
  children?: ReactNode
  /** Buttons at the right end. */
  actions?: ReactNode
}

/** A message that stays in the page. For timed ones: `toast({ …, timeout: NOTICE_MS })`. */
export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  const { icon: Icon, box, mark } = LOOKS[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex flex-wrap items-start gap-3 rounded-lg border px-4 py-3 text-left ${box}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${mark}`} />
      <div className="min-w-48 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="break-words text-ink-2">{children}</div>}
      </div>
      {actions !== undefined && <div className="flex gap-2">{actions}</div>}
    </div>
  )
}
