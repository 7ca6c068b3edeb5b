import type { Settings } from '../settings/Settings.ts'
import { AlertQueue, type AlertQueueOptions } from './AlertQueue.ts'
import { AlertRules } from './AlertRules.ts'
import { AlertSender } from './AlertSender.ts'
import { createMailer } from './sendMail.ts'

/** The alerts of accounts, and the queue that delivers them. */
export function createAlerts(options: Omit<AlertQueueOptions, 'sender' | 'deployment'> & { settings: Settings }) {
  const { settings, db, clock, log } = options
  const sender = new AlertSender({
    ...{ chainId: settings.deployment.chainId, sendMail: createMailer(settings.smtp), clock },
    origin: () => settings.origins[0] ?? '',
  })
  const queue = new AlertQueue({ ...options, deployment: settings.deployment, sender })
  let telling: Promise<void> | undefined

  return {
    rules: new AlertRules({ db, sender, clock }),
    /** Starts to send what is due, unless the last run is still in progress. */
    tell(): void {
      telling ??= queue
        .tick()
        .catch((error: unknown) => log.warn({ err: error }, 'alerts are late'))
        .finally(() => {
          telling = undefined
        })
    },
    /** Resolves when nothing is in flight. */
    async settle(): Promise<void> {
      await telling
      await queue.settle()
    },
  }
}
