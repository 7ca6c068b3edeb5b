import type { OrderWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { orderMessages } from './messages.ts'

/** What the order holds of the machine. */
export function MachineCard({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { r } = order
  return (
    <Card title={text.machine}>
      <Facts
        facts={[
          { term: text.gpu, value: r.nGPU === 0 ? text.none : `${format.number(r.nGPU)} × ${order.gpuModel}` },
          {
            term: text.cpu,
            value: r.nCPU === 0 ? text.none : text.perCpuCores(format.number(r.nCPU), order.cpuModel, order.core),
          },
          { term: text.memory, value: format.gigabytes(r.nMEM) },
          { term: text.storage, value: format.terabytes(r.nDISK) },
        ]}
      />
    </Card>
  )
}
