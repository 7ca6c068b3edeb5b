import type { AlertMessage } from '@rackfair/protocol/alertRequests'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import type { AlertRuleTable } from '../store/tables.ts'
import type { SendMail } from './sendMail.ts'
import { refusedTarget, sendWebhook } from './sendWebhook.ts'

const EMAIL = /^[^\s\p{Cc}@<>(),;:\\"[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/iu

export interface AlertSenderOptions {
  chainId: number
  sendMail: SendMail | undefined
  /** The site's own origin, for links. */
  origin: () => string
  /** Unix milliseconds. */
  clock: () => number
}

/** Delivers one message to the target of a rule: to a webhook, signed, or by mail with an unsubscribe link. */
export class AlertSender {
  private readonly options: AlertSenderOptions

  constructor(options: AlertSenderOptions) {
    this.options = options
  }

  get hasMail(): boolean {
    return this.options.sendMail !== undefined
  }

  /** Why a target is refused; undefined for an accepted one. */
  refusal(kind: AlertRuleTable['kind'], target: string): string | undefined {
    if (kind === 'webhook') return refusedTarget(target, this.isLocal)
    if (!this.hasMail) return 'this market sends no mail'
    return EMAIL.test(target) && target.length <= 254 ? undefined : 'this is not an e-mail address'
  }

  message(
    account: string,
    { event, time, orderId, provider }: Pick<AlertMessage, 'event' | 'time' | 'orderId' | 'provider'>,
    id: string,
    text: string,
  ): AlertMessage {
    const place = orderId === null ? '/providerinfo' : `/orderinfo?id=${orderId}`
    return { id, event, time, account, orderId, provider, text, url: `${this.options.origin()}${place}` }
  }

  /** Rejects with the reason if the message was not accepted. */
  async send(rule: AlertRuleTable, message: AlertMessage): Promise<void> {
    if (rule.kind === 'webhook') {
      const now = Math.floor(this.options.clock() / 1000)
      return sendWebhook(rule.target, JSON.stringify(message), rule.secret, { isLocal: this.isLocal, now })
    }
    await this.mail(rule, `Rackfair: ${message.text}`, `${message.text}\n\n${message.url}`)
  }

  /** Asks the owner of a mail address to confirm these mails. Rejects if the mail server did not accept the message. */
  async askToConfirm(rule: AlertRuleTable): Promise<void> {
    const link = `${this.options.origin()}/alerts?confirm=${rule.token}`
    if (rule.locale === 'zh')
      await this.mail(
        rule,
        'Rackfair：确认提醒邮箱',
        `账户 ${rule.owner} 希望把 Rackfair 的提醒发送到此邮箱。若是你本人，请打开：\n\n${link}\n\n否则无需理会，不会再有邮件。`,
      )
    else
      await this.mail(
        rule,
        'Rackfair: confirm where alerts are sent',
        `The account ${rule.owner} wants Rackfair alerts sent to this address. If that is you, open:\n\n${link}\n\nOtherwise do nothing: no more mail will come.`,
      )
  }

  private async mail(rule: AlertRuleTable, subject: string, text: string): Promise<void> {
    const { sendMail, origin } = this.options
    if (!sendMail) throw new Error('this market sends no mail')
    await sendMail({ to: rule.target, subject, text, unsubscribe: `${origin()}/alerts?unsubscribe=${rule.token}` })
  }

  private get isLocal(): boolean {
    return this.options.chainId === DEVELOPMENT_CHAIN_ID
  }
}

/** The text that the user sees for a failed delivery; without the receiver's own words, which are untrusted. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)
