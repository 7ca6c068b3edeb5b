import { Suspense, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { ComparisonProps } from './Comparison.tsx'
import { clearCompared, useCompared } from './compareStore.ts'
import { nodeMessages } from './messages.ts'

const Comparison = lazyPart(() => import('./Comparison.tsx').then((module) => module.Comparison))

/** Stands at the lower edge while machines are chosen, and shows them beside each other. */
export function CompareBar(props: Omit<ComparisonProps, 'nodes'>) {
  const text = useMessages(nodeMessages).compare
  const chosen = useCompared()
  const [open, setOpen] = useState(false)
  if (chosen.length === 0) return null
  return (
    <>
      <section
        data-compare-bar=""
        aria-label={text.title(chosen.length)}
        className="no-print sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-y border-line bg-raised px-4 py-3 sm:bottom-2 sm:mx-0 sm:rounded-lg sm:border-x"
      >
        <p role="status" className="min-w-0 flex-1 truncate text-ink-2">
          {text.chosen(chosen.length)} <span className="max-sm:hidden">{chosen.map((node) => node.name).join(' · ')}</span>
        </p>
        <Button variant="quiet" onClick={clearCompared}>
          {text.clear}
        </Button>
        <Button
          variant="primary"
          disabledReason={chosen.length < 2 ? text.needTwo : undefined}
          reasonAs="tooltip"
          onClick={() => setOpen(true)}
        >
          {text.open}
        </Button>
      </section>
      <Dialog open={open && chosen.length > 0} onClose={() => setOpen(false)} title={text.title(chosen.length)} wide>
        <Suspense fallback={<Skeleton size="panel" />}>
          <Comparison nodes={chosen} {...props} />
        </Suspense>
      </Dialog>
    </>
  )
}
