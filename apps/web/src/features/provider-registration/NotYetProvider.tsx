import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { registrationMessages } from './messages.ts'

/** What becoming a provider means, for a wallet that is none. */
export function NotYetProvider() {
  const text = useMessages(registrationMessages)
  const steps = [
    { title: text.wizard.step1, what: text.start.register },
    { title: text.wizard.step2, what: text.start.nodes },
    { title: text.wizard.step3, what: text.start.pledge },
    { title: text.wizard.step4, what: text.start.agent },
  ]
  return (
    <div className="flex flex-col gap-6">
      <EmptyState
        title={text.start.title}
        action={
          <ButtonLink to="/addprovider" variant="accent">
            {text.start.begin}
          </ButtonLink>
        }
      >
        {text.start.text}
      </EmptyState>
      <ol className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-4 border-t border-line-2 py-4">
            <span aria-hidden className="num text-2xl text-ink-3">
              {index + 1}
            </span>
            <span>
              <span className="font-semibold">{step.title}</span>
              <span className="block text-ink-2">{step.what}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
