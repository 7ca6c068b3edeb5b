import type { NodeVerification } from '@rackfair/rules/node/node'
import { type HardwareRecord, readHardwareRecord } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { FactGrid } from '../../ui/FactGrid.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { HardwareResults } from './HardwareResults.tsx'
import { HardwareStateLine } from './HardwareStateLine.tsx'
import { hardwareState } from './hardwareState.ts'
import { hardwareTexts } from './hardwareTexts.ts'
import { measuredSize } from './measuredSize.ts'

export interface NodeHardwareProps {
  /** A lower-case address. */
  provider: string
  nodeId: number
  /** The machine as it is offered now. */
  rev: number
}

/** What monitors agree on about one machine, and what each of them measured; with `folded`, the latter opens. */
export function NodeHardware({ provider, nodeId, rev, folded = false }: NodeHardwareProps & { folded?: boolean }) {
  const text = useMessages(hardwareTexts)
  const answer = useQuery({
    queryKey: ['hardware', provider, nodeId],
    queryFn: ({ signal }) => api.nodeHardware(provider, nodeId, { signal }),
    select: readHardwareRecord,
    meta: { live: [`node:${provider}/${nodeId}`] },
  })
  return (
    <Loaded line query={answer} failed={text.unreadable} skeleton={<Skeleton size="card" />}>
      {(answer) => {
        const report = (
          <>
            <HardwareResults results={answer.results} rev={rev} />
            {answer.results.length > 0 && (
              <p className="mt-2 text-xs">
                <ExternalLink to={`/v1/nodes/${provider}/${nodeId}/hardware`}>{text.signed}</ExternalLink>
              </p>
            )}
          </>
        )
        return (
          <>
            <Agreed answer={answer} />
            {folded ? (
              <details className="group mt-3">
                <summary className="flex cursor-pointer list-none items-center gap-1.5 text-xs text-ink-2">
                  <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3 group-open:rotate-90" />
                  {text.report}
                </summary>
                {report}
                <p className="mt-3 text-xs text-ink-3">{text.limits}</p>
              </details>
            ) : (
              report
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Agreed({ answer: { verification } }: { answer: HardwareRecord }) {
  const text = useMessages(hardwareTexts)
  const now = useNow(30_000)
  const state = hardwareState(verification, now)
  const why = { old: text.oldText, failed: text.failedText, unmeasured: text.unmeasuredText }
  return (
    <>
      <p className="font-semibold">
        <HardwareStateLine verification={verification} now={now} />
      </p>
      {state === 'verified' ? (
        verification && <Measured verification={verification} />
      ) : (
        <p className="mt-1 text-xs text-ink-3">{why[state]}</p>
      )}
    </>
  )
}

function Measured({ verification }: { verification: NodeVerification }) {
  const text = useMessages(hardwareTexts)
  const format = useFormat()
  const { memoryBytes, cores, gpus, agreed, needed, hardwareClass } = verification
  const facts = [
    { term: text.memory, value: measuredSize(memoryBytes, format) },
    { term: text.cores, value: format.number(cores) },
    { term: text.gpus, value: gpus === 0 ? text.none : format.number(gpus) },
    { term: text.agreed, value: text.agreedOf(format.number(agreed), format.number(needed)) },
  ]
  return (
    <>
      <p className="mt-1 mb-3 text-xs text-ink-3">{text.classes[hardwareClass]}</p>
      <FactGrid facts={facts} />
    </>
  )
}
