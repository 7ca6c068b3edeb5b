import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { hardwareTexts } from './hardwareTexts.ts'
import { NodeHardware, type NodeHardwareProps } from './NodeHardware.tsx'

/** Whether one machine is verified; what monitors measured of it, and what that does not show, opens. */
export function HardwareCard(node: NodeHardwareProps) {
  const text = useMessages(hardwareTexts)
  return (
    <Card title={text.title}>
      <NodeHardware {...node} folded />
    </Card>
  )
}
