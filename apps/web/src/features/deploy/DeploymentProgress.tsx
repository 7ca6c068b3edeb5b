import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { seenOf } from '@rackfair/rules/deployment/waiting'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isLargeImage } from '@rackfair/rules/node/takes'
import type { Preset } from '@rackfair/rules/presets'
import { visibleText } from '@rackfair/rules/text/visibleText'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { type Step, Steps } from '../../ui/Steps.tsx'
import { deploymentSteps, type ShownStep } from './deploymentSteps.ts'
import { deployMessages } from './messages.ts'
import { nextStep } from './nextStep.ts'

export interface DeploymentProgressProps {
  deployment: Deployment
  /** What is deployed, where it is of the catalogue: the size of its image decides how long its build usually takes. */
  preset?: Pick<Preset, 'imageMb'> | undefined
  /** Lays the steps side by side, and says below what the newest one does. */
  across?: boolean
}

/** The live steps of a deployment, why it failed, and what to do then. */
export function DeploymentProgress({ deployment, preset, across = false }: DeploymentProgressProps) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const detail = (step: ShownStep) => {
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
    if (step.state !== 'now' || !(step.phase in text.detail)) return undefined
    const line = deployment.details?.buildLine
    const waiting = deployment.details?.waiting
    const told = waiting && seenOf(waiting)
    return (
      <>
        {text.detail[step.phase as keyof typeof text.detail]}
        {step.phase === 'Starting' && told && (
          <span className="mt-1 block break-words text-ink">
            {visibleText(text.waiting[told.seen](waiting.port, told.at.join(', ')))}
          </span>
        )}
        {step.phase === 'Pulling' && line !== undefined && step.at !== undefined && (
          <BuildLine line={line} since={step.at} isLarge={preset !== undefined && isLargeImage(preset)} />
        )}
      </>
    )
  }
  const taken = deploymentSteps(deployment)
  const newest = taken.findLast(({ state }) => state !== 'next')
  const said = across && newest ? detail(newest) : undefined
  const steps = taken.map((step, index): Step => {
    const shown = across ? undefined : detail(step)
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
      <Steps label={text.steps} steps={steps} across={across} />
      {said !== undefined && <div className="pb-1 text-xs text-ink-2">{said}</div>}
    </div>
  )
}

/** The newest line of the build that a deployment waits for, and its duration. The clock is hidden from screen readers. */
function BuildLine({ line, since, isLarge }: { line: string; since: number; isLarge: boolean }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const seconds = Math.max(0, useNow(1000) - Math.floor(since / 1000))
  return (
    <span aria-live="off" className="num mt-1 block break-words text-ink-3">
      {text.building(visibleText(line), format.duration(seconds), isLarge)}
    </span>
  )
}

const DETAIL_LENGTH = 150
