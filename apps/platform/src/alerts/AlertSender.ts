import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import type { AlertMessage } from '@rackfair/core/wire'
import type { AlertRuleTable } from '../store/tables.ts'
import type { SendMail } from './sendMail.ts'
import { refusedTarget, sendWebhook } from './sendWebhook.ts'

const EMAIL = /^[^\s@<>(),;:\\"[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

export interface AlertSenderOptions {
  chainId: number
  sendMail: SendMail | undefined
  /** The site's own origin, for links. */
  origin: () => string
  /** Unix milliseconds. */
  clock: () => number
}

/** Brings one message to the target of a rule: signed to a webhook, or by mail with a link that ends it. */
export class AlertSender {
  private readonly options: AlertSenderOptions

  constructor(options: AlertSenderOptions) {
    this.options = options
  }

  get hasMail(): boolean {
    return this.options.sendMail !== undefined
  }

  /** Why nothing can be sent there; undefined for a target that is taken. */
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

  /** Rejects with the reason when the message was not taken. */
  async send(rule: AlertRuleTable, message: AlertMessage): Promise<void> {
    if (rule.kind === 'webhook') {
      const now = Math.floor(this.options.clock() / 1000)
      return sendWebhook(rule.target, JSON.stringify(message), rule.secret, { isLocal: this.isLocal, now })
    }
    await this.mail(rule, `Rackfair: ${message.text}`, `${message.text}\n\n${message.url}`)
  }

  /** Asks the owner of a mail address whether these mails are wanted. Rejects when the mail server did not take it. */
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
        `The account ${rule.owner} wants alerts of Rackfair sent to this address. If that is you, open:\n\n${link}\n\nElse do nothing: no more mail comes.`,
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

/** What a person reads of a failed delivery; a receiver's own words are a stranger's. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)
