import type { ReceiptCheck } from '@rackfair/sdk/receipt'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Check, ShieldAlert, ShieldCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { useMarket } from '../../../wallet/index.ts'
import { receiptMessages } from './messages.ts'
import { receiptQuery } from './receiptQuery.ts'

/** Differences of one part that are shown; there are more only where nearly nothing agrees. */
const MAX_SHOWN = 10

/** The receipt recomputed in this browser from the chain and what monitors reported, part by part. */
export function ReceiptVerification({ orderId }: { orderId: string }) {
  const text = useMessages(receiptMessages)
  const market = useMarket()
  const { data: receipt } = useQuery(receiptQuery(orderId))
  const verdict = useQuery({
    queryKey: ['orders', 'verified', orderId, receipt?.block, receipt?.asOf],
    queryFn:
      market.status === 'ready' && receipt
        ? async ({ signal }: { signal: AbortSignal }) => {
            const [{ verifyReceipt }, evidence] = await Promise.all([
              import('@rackfair/sdk/receipt'),
              api.orderEvidence(orderId, { signal }),
            ])
            const { client, addresses } = market.market
            return verifyReceipt(client, addresses.access, receipt, evidence)
          }
        : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const failed = verdict.isError || market.status === 'failed'
  const differences = verdict.data?.checks.reduce((sum, check) => sum + check.differences.length, 0) ?? 0
  return (
    <section
      aria-live="polite"
      aria-label={text.check}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-raised"
    >
      {failed ? (
        <Head tone="bg-warn-soft" icon={<ShieldAlert aria-hidden className="size-5 text-warn" />} title={text.failed}>
          {text.failedText}
        </Head>
      ) : verdict.data === undefined ? (
        <Head tone="bg-sunk" icon={<ShieldCheck aria-hidden className="size-5 text-ink-3" />} title={text.checking} />
      ) : verdict.data.agrees ? (
        <Head tone="bg-idle-soft" icon={<ShieldCheck aria-hidden className="size-5 text-idle" />} title={text.agrees}>
          {text.agreesText}
        </Head>
      ) : (
        <Head tone="bg-bad-soft" icon={<ShieldAlert aria-hidden className="size-5 text-bad" />} title={text.differs(differences)}>
          {text.differsText}
        </Head>
      )}
      {verdict.data && (
        <ul className="px-5">
          {verdict.data.checks.map((check) => (
            <Part key={check.part} check={check} />
          ))}
        </ul>
      )}
      <div className="border-t border-line px-5 py-4">
        <Button pending={verdict.isFetching} onClick={() => void verdict.refetch()}>
          {text.again}
        </Button>
      </div>
    </section>
  )
}

function Head({ tone, icon, title, children }: { tone: string; icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className={`flex gap-3 border-b border-line px-5 py-4 ${tone}`}>
      <span className="shrink-0 pt-0.5">{icon}</span>
      <div className="min-w-0">
        <h2 className="text-sm">{title}</h2>
        {children !== undefined && <p className="mt-0.5 text-xs text-ink-2">{children}</p>}
      </div>
    </div>
  )
}

function Part({ check: { part, compared, differences } }: { check: ReceiptCheck }) {
  const text = useMessages(receiptMessages)
  const format = useFormat()
  const agrees = differences.length === 0
  return (
    <li className="flex gap-3 border-b border-line py-3 last:border-b-0">
      {agrees ? (
        <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-idle" />
      ) : (
        <X aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      )}
      <div className="min-w-0">
        <p>{text.parts[part]}</p>
        <p className="text-xs text-ink-3">{text.compared[part](format.number(compared))}</p>
        {!agrees && (
          <ul className="mt-1 flex flex-col gap-1 text-xs text-bad">
            {differences.slice(0, MAX_SHOWN).map(({ row, field, said, found }) => (
              <li key={`${row} ${field}`} className="break-words">
                {row !== undefined && `${text.row(format.number(row + 1))}, `}
                {text.difference(field, said, found)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
