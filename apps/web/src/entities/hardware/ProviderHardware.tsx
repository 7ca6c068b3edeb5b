import type { MarketNode } from '@rackfair/rules/node/node'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { HardwareStateLine } from './HardwareStateLine.tsx'
import { hardwareTexts } from './hardwareTexts.ts'
import { NodeHardware } from './NodeHardware.tsx'

/** Machines that are shown at first, and that come with each press. */
const STEP = 6

/** Which machines of a provider are verified; each opens to what monitors measured of it. */
export function ProviderHardware({ nodes }: { nodes: readonly MarketNode[] }) {
  const text = useMessages(hardwareTexts)
  const now = useNow(30_000)
  const [shown, setShown] = useState(STEP)
  return (
    <Card title={text.title}>
      {nodes.length === 0 && <p className="text-ink-3">{text.noMachines}</p>}
      <ul className="divide-y divide-line">
        {nodes.slice(0, shown).map((node) => (
          <li key={node.nodeId}>
            <Machine node={node} now={now} />
          </li>
        ))}
      </ul>
      {nodes.length > shown && (
        <Button size="sm" onClick={() => setShown(shown + STEP)}>
          {text.more(nodes.length - shown)}
        </Button>
      )}
      <p className="mt-3 text-xs text-ink-3">{text.limits}</p>
    </Card>
  )
}

function Machine({ node, now }: { node: MarketNode; now: number }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 py-2.5">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3 group-open:rotate-90" />
        <span className="min-w-0 grow font-medium break-words">{node.name}</span>
        <HardwareStateLine verification={node.verification} now={now} />
      </summary>
      {isOpen && (
        <div className="pb-4 pl-7">
          <NodeHardware provider={node.provider} nodeId={node.nodeId} rev={node.revision} />
        </div>
      )}
    </details>
  )
}
