import { AppError } from '@rackfair/rules/errors/AppError'
import type { RememberedDeployment } from '@rackfair/sdk/workspace'
import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { useErrorText } from '../../../platform/errors/useErrorText.ts'
import type { en } from '../messages.en.ts'
import type { TimelineEntry } from './timelineEntry.ts'

/**
 * What the machine remembers, and of the platform's record of the latest deployment what the machine does not: its id is the platform's own,
 * but what the machine reported keeps its time.
 */
export function mergeReports(
  latest: RememberedDeployment | null | undefined,
  known: readonly RememberedDeployment[],
): RememberedDeployment[] {
  const keyOf = ({ phase, at }: RememberedDeployment['steps'][number]) => `${phase} ${at}`
  const seen = new Set(known.flatMap(({ steps }) => steps.map(keyOf)))
  return latest ? [...known, { ...latest, steps: latest.steps.filter((step) => !seen.has(keyOf(step))) }] : [...known]
}

/** What the machine reported of a deployment, each step as a sentence; a failure with its reason. */
export function reportEntries(
  deployment: RememberedDeployment,
  app: string,
  texts: MessagesOf<typeof en>,
  errorText: ReturnType<typeof useErrorText>,
): TimelineEntry[] {
  return deployment.steps.map((step, index) => {
    const isBad = step.phase === 'Failed' || step.phase === 'Degraded' || (step.phase === 'Finished' && step.code !== undefined)
    const why = isBad && step.code ? errorText(new AppError(step.code, step.message ?? step.code), REASON_LENGTH).full : undefined
    return {
      // Ids are random; what is requested later comes later.
      key: `report-${deployment.requestedAt}-${deployment.id}-${index}`,
      time: step.at / 1000,
      tone: isBad ? 'bad' : step.phase === 'Running' ? 'run' : 'off',
      text: deployment.deployId === 0 && step.phase === 'Failed' ? texts.cleanFailed : texts.reports[step.phase](app),
      ...(why === undefined ? {} : { reason: why }),
    }
  })
}

const REASON_LENGTH = 300
