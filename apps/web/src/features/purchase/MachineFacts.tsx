import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { purchaseMessages } from './messages.ts'

export interface Machine {
  name: string
  cpu: { num: number; model: string }
  gpu: { num: number; model: string }
  memGb: number
  diskGb: number
}

/** The machine that is bought or extended. */
export function MachineFacts({ machine }: { machine: Machine }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const model = (part: { num: number; model: string }) => (part.num === 0 ? text.none : `${part.num} × ${part.model}`)
  return (
    <Card title={machine.name}>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure term={text.cpu}>{model(machine.cpu)}</Figure>
        <Figure term={text.gpu}>{model(machine.gpu)}</Figure>
        <Figure term={text.memory}>{format.gigabytes(machine.memGb)}</Figure>
        <Figure term={text.storage}>{format.terabytes(machine.diskGb)}</Figure>
      </div>
    </Card>
  )
}
