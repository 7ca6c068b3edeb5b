import { AppError } from '@rackfair/core'
import type { DeploymentWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { type Step, Steps } from '../../ui/Steps.tsx'
import { type DeploymentStep, deploymentSteps } from './deploymentSteps.ts'
import { deployMessages } from './messages.ts'
import { nextStep } from './nextStep.ts'

/** The live steps of a deployment, why it failed, and what to do then. */
export function DeploymentProgress({ deployment }: { deployment: DeploymentWire }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const detail = (step: DeploymentStep) => {
    if (step.state === 'failed') {
      const why = step.code
        ? errorText(new AppError(step.code, step.message ?? step.code), DETAIL_LENGTH).full
        : (step.message ?? text.phases[step.phase])
      return (
        <>
          {why} {text.next[nextStep(step.code)]}
          {step.message !== undefined && <span className="num mt-1 block break-words text-ink-3">{step.message}</span>}
        </>
      )
    }
    if (step.phase === 'Running' && step.at !== undefined)
      return text.runningIn(format.milliseconds(Math.max(0, step.at - deployment.requestedAt)))
    return step.state === 'now' && step.phase in text.detail ? text.detail[step.phase as keyof typeof text.detail] : undefined
  }
  const steps = deploymentSteps(deployment).map((step, index): Step => {
    const shown = detail(step)
    return {
      key: `${step.phase}-${index}`,
      title: text.phases[step.phase],
      state: step.state,
      ...(step.at === undefined ? {} : { aside: format.clock(Math.floor(step.at / 1000)) }),
      ...(shown === undefined ? {} : { detail: shown }),
    }
  })
  return (
    <div aria-live="polite">
      <Steps label={text.steps} steps={steps} />
    </div>
  )
}

const DETAIL_LENGTH = 150
