import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { hardwareTexts } from './hardwareTexts.ts'
import { NodeHardware, type NodeHardwareProps } from './NodeHardware.tsx'

/** What monitors measured of one machine, and what that does not show. */
export function HardwareCard(node: NodeHardwareProps) {
  const text = useMessages(hardwareTexts)
  return (
    <Card title={text.title}>
      <NodeHardware {...node} />
      <p className="mt-3 text-xs text-ink-3">{text.limits}</p>
    </Card>
  )
}
