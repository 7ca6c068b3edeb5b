import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { purchaseMessages } from './messages.ts'

export interface Machine {
  name: string
  /** `cores` is what each processor offers. */
  cpu: { count: number; model: string; cores: number }
  gpu: { count: number; model: string }
  memoryGb: number
  diskGb: number
  /** As in its node. */
  sample?: boolean | undefined
}

/** The machine that is bought or extended. Words, figures and models stand on three lines, also where a model needs two. */
export function MachineFacts({ machine }: { machine: Machine }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const { cpu, gpu } = machine
  const facts = [
    { term: text.gpu, value: gpu.count === 0 ? text.none : `${format.number(gpu.count)} × ${gpu.model}`, more: '' },
    {
      term: text.cpu,
      value: cpu.count === 0 ? text.none : text.cores(cpu.count * cpu.cores),
      more: cpu.count === 0 ? '' : `${format.number(cpu.count)} × ${cpu.model}`,
    },
    { term: text.memory, value: format.gigabytes(machine.memoryGb), more: '' },
    { term: text.storage, value: format.storage(machine.diskGb), more: '' },
  ]
  return (
    <Card title={machine.name} aside={<SampleMark of={machine} />}>
      <dl className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
        {facts.map((fact) => (
          <div key={fact.term} className="min-w-0">
            <dt className="text-xs text-ink-3">{fact.term}</dt>
            <dd className="num text-lg break-words">{fact.value}</dd>
            {fact.more !== '' && <dd className="num text-xs break-words text-ink-2">{fact.more}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  )
}
