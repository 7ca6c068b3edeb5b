import { Check } from 'lucide-react'
import { Link } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { registrationMessages } from '../messages.ts'
import type { WizardFacts, WizardStep } from './wizardStep.ts'

/** The steps of the wizard, the specification's three and the agent; those that can be reached are links. */
export function WizardSteps({ current, facts }: { current: WizardStep; facts: WizardFacts & { online: boolean } }) {
  const text = useMessages(registrationMessages).wizard
  const steps = [
    { title: text.step1, done: facts.registered },
    { title: text.step2, done: facts.nodes > 0 },
    { title: text.step3, done: facts.pledged === true },
    { title: text.step4, done: facts.online },
  ]
  return (
    <nav aria-label={text.label}>
      <ol className="grid gap-2 sm:grid-cols-4 sm:gap-4">
        {steps.map((step, index) => {
          const now = index === current
          const inside = (
            <>
              <StepNumber number={index + 1} now={now} done={step.done} />
              <span className="min-w-0">
                {step.title}
                {step.done && <span className="sr-only"> ({text.stepDone})</span>}
              </span>
            </>
          )
          const look = `flex items-center gap-3 border-t-2 py-3 ${now ? 'border-accent font-medium text-ink' : step.done ? 'border-idle text-ink-2' : 'border-line text-ink-3'}`
          return (
            <li key={step.title} aria-current={now ? 'step' : undefined}>
              {facts.registered && !now ? (
                <Link to={`/addprovider?step=${index + 1}`} className={`${look} hover:text-ink`}>
                  {inside}
                </Link>
              ) : (
                <span className={look}>{inside}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function StepNumber({ number, now, done }: { number: number; now: boolean; done: boolean }) {
  const look = done && !now ? 'border-idle text-idle' : now ? 'border-accent text-accent' : 'border-line-2'
  return (
    <span aria-hidden={done && !now} className={`num grid size-7 shrink-0 place-items-center rounded-full border ${look}`}>
      {done && !now ? <Check className="size-4" /> : number}
    </span>
  )
}
