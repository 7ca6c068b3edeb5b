import { createTransport } from 'nodemailer'
import type { Settings } from '../settings/Settings.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** URL of one-click unsubscribe. */
  unsubscribe: string
}

export type SendMail = (mail: Mail) => Promise<void>

const SMTP_MS = 20_000

/** Sends through the operator's SMTP server; undefined if there is none. */
export function createMailer(smtp: Settings['smtp']): SendMail | undefined {
  if (!smtp) return undefined
  const transport = createTransport({
    url: smtp.url,
    ...{
      connectionTimeout: SMTP_MS,
      greetingTimeout: SMTP_MS,
      socketTimeout: SMTP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  } as never)
  return async ({ to, subject, text, unsubscribe }) => {
    await transport.sendMail({
      ...{ from: smtp.from, to, subject, text: `${text}\n\n${unsubscribe}\n` },
      headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'Auto-Submitted': 'auto-generated' },
    })
  }
}
