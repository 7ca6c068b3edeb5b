import accrual from './accrual.json' with { type: 'json' }
import downtime from './downtime.json' with { type: 'json' }
import endings from './endings.json' with { type: 'json' }
import pay from './pay.json' with { type: 'json' }
import price from './price.json' with { type: 'json' }
import refund from './refund.json' with { type: 'json' }

/**
 * Money vectors that Solidity and TypeScript both run. Computed independently of either, with the formulas of `docs/money.md`. `endings`
 * are whole orders: what each party has at the end.
 */
export { accrual, downtime, endings, pay, price, refund }
