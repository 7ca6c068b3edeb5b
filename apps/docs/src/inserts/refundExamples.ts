import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { formatCredit, ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type CancelQuote, quoteProviderCancel, quoteUserCancel } from '@rackfair/rules/order/money'
import type { OrderTerms } from '@rackfair/rules/order/order'
import { OrderStatus } from '@rackfair/rules/order/status'
import { accruedWei, orderFeeWei } from '@rackfair/rules/prices/pricing'
import type { Language } from '../site.ts'
import { table } from './table.ts'

const MINUTE = 60
const DAY = 86_400
const RATE = 200n * ONE_CREDIT_WEI
const START = 1_795_219_200

const ACTIVE: OrderTerms & { createTime: number } = {
  status: OrderStatus.Active,
  createTime: START,
  ratePerMonthWei: RATE,
  totalValueWei: orderFeeWei(RATE, MONTH_SECONDS),
  remunerationWei: 0n,
  activateTime: START,
  duration: MONTH_SECONDS,
  downSeconds: 0,
  holdbackSeconds: DAY,
  penalty: DAY,
  probation: 10 * MINUTE,
  userConfirm: false,
  deployed: false,
  commissionBps: 0,
  reportedUntil: 0,
  downSince: 0,
  creditedTwiceSeconds: 0,
}
/** Settled up to a day ago, as anyone can have it done at any time. */
const TEN_DAYS_IN: typeof ACTIVE = { ...ACTIVE, deployed: true, remunerationWei: accruedWei(RATE, 9 * DAY) }

const HEADER = {
  en: ['What happens', 'Back to you', 'Provider earned in all', 'Of that from the pledge to you'],
  zh: ['情形', '退还给您', '供应商总收入', '其中由质押赔给您'],
}

interface Example {
  text: Record<Language, string>
  order: OrderTerms
  quote: CancelQuote
}

const EXAMPLES: Example[] = [
  {
    text: { en: 'You cancel before your time starts', zh: '开始计时前您取消' },
    order: ACTIVE,
    quote: quoteUserCancel({ ...ACTIVE, status: OrderStatus.Created, activateTime: 0 }, START),
  },
  {
    text: {
      en: 'You cancel 9 minutes after your time started, nothing deployed so far',
      zh: '开始计时 9 分钟后，从未部署过应用，您取消',
    },
    order: ACTIVE,
    quote: quoteUserCancel(ACTIVE, START + 9 * MINUTE),
  },
  {
    text: {
      en: 'You cancel 30 minutes after your time started, deployed or cleaned or neither',
      zh: '开始计时 30 分钟后，无论是否部署或清理，您取消',
    },
    order: ACTIVE,
    quote: quoteUserCancel(ACTIVE, START + 30 * MINUTE),
  },
  {
    text: { en: 'You cancel after 10 days', zh: '10 天后您取消' },
    order: TEN_DAYS_IN,
    quote: quoteUserCancel(TEN_DAYS_IN, START + 10 * DAY),
  },
  {
    text: { en: 'The provider drops you after 10 days', zh: '10 天后供应商中止' },
    order: TEN_DAYS_IN,
    quote: quoteProviderCancel(TEN_DAYS_IN, START + 10 * DAY),
  },
  {
    text: { en: 'The provider does not start your time within 24 hours', zh: '供应商 24 小时内未开始计时' },
    order: ACTIVE,
    quote: quoteProviderCancel({ ...ACTIVE, status: OrderStatus.Created, activateTime: 0 }, START + DAY),
  },
  {
    text: { en: 'You cancel after the end', zh: '到期后您取消' },
    order: TEN_DAYS_IN,
    quote: quoteUserCancel(TEN_DAYS_IN, START + 31 * DAY),
  },
]

/** What closing an order of 200 USD for one month does, computed by the rules that the contract follows. */
export function refundExamples(language: Language): string {
  const usd = (wei: bigint) => formatCredit(wei, { min: 2, max: 6 })
  const rows = EXAMPLES.map(({ text, order, quote }) => [
    text[language],
    usd(quote.toUser),
    usd(order.remunerationWei + quote.toProvider + quote.pending),
    usd(quote.compensation),
  ])
  return table(HEADER[language], rows, [1, 2, 3])
}
