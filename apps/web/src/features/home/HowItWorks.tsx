import { Suspense } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { Section } from '../../ui/Section.tsx'
import { homeMessages } from './messages.ts'

const StepPart = lazyPart(() => import('./steps/StepPart.tsx').then((module) => module.default))
const STEPS = ['find', 'pay', 'deploy', 'leave'] as const

/** The four steps from looking for a machine to leaving it, each with a living part of its screen. */
export function HowItWorks() {
  const text = useMessages(homeMessages).steps
  return (
    <Section large title={text.title}>
      <ol className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
        {STEPS.map((step, index) => (
          <li key={step} className="flex min-w-0 flex-col gap-3">
            <div aria-hidden className="h-52 overflow-hidden rounded-md border border-line bg-sunk px-5 pt-5">
              <div className="h-full overflow-hidden rounded-t-lg border border-line bg-raised">
                <Suspense fallback={null}>
                  <StepPart step={step} />
                </Suspense>
              </div>
            </div>
            <div className="flex gap-4">
              <span aria-hidden className="num text-ink-3">
                {index + 1}
              </span>
              <div className="flex min-w-0 flex-col gap-0.5">
                <h3 className="text-base">{text[step].title}</h3>
                <p className="text-ink-2">{text[step].text}</p>
              </div>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
