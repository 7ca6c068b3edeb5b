import { useMessages } from '../../i18n/useMessages.ts'
import { HomeSection } from './HomeSection.tsx'
import { homeMessages } from './messages.ts'

/** The four steps from looking for a machine to leaving it. */
export function HowItWorks() {
  const text = useMessages(homeMessages).steps
  const steps = [text.find, text.pay, text.deploy, text.leave]
  return (
    <HomeSection title={text.title}>
      <ol className="grid gap-x-7 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map((step, index) => (
          <li key={step.title} className="flex flex-col gap-1.5 border-t border-ink pt-3">
            <span aria-hidden className="num text-xs text-ink-3">
              {index + 1}
            </span>
            <h3 className="text-base">{step.title}</h3>
            <p className="text-ink-2">{step.text}</p>
          </li>
        ))}
      </ol>
    </HomeSection>
  )
}
