import { Suspense } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { lazyPart } from '../../lib/lazyPart.ts'
import { HomeSection } from './HomeSection.tsx'
import { homeMessages } from './messages.ts'

const StepPicture = lazyPart(() => import('./StepPicture.tsx').then((module) => module.default))
const STEPS = ['find', 'pay', 'deploy', 'leave'] as const

/** The four steps from looking for a machine to leaving it, each with its screen. */
export function HowItWorks() {
  const text = useMessages(homeMessages).steps
  return (
    <HomeSection title={text.title}>
      <ol className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
        {STEPS.map((step, index) => (
          <li key={step} className="flex flex-col gap-1.5 border-t border-ink pt-3">
            <div className="screen-picture mb-2 overflow-hidden rounded-md border border-line bg-raised">
              <Suspense fallback={null}>
                <StepPicture step={step} />
              </Suspense>
            </div>
            <span aria-hidden className="num text-xs text-ink-3">
              {index + 1}
            </span>
            <h3 className="text-base">{text[step].title}</h3>
            <p className="text-ink-2">{text[step].text}</p>
          </li>
        ))}
      </ol>
    </HomeSection>
  )
}
