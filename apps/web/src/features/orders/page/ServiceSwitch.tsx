import type { ServiceNow } from '@rackfair/rules/deployment/deployment'
import type { Order } from '@rackfair/rules/order/order'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/Select.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { orderMessages } from '../messages.ts'
import { PowerDialog } from '../power/PowerDialog.tsx'

const TONES: Readonly<Record<ServiceNow['state'], Tone>> = { waiting: 'off', running: 'run', done: 'idle', ended: 'bad' }

/** Chooses one of several services of an order for what stands below, says how it is, and restarts it alone. */
export function ServiceSwitch({
  order,
  services,
  chosen,
  onChoose,
}: {
  order: Order
  services: readonly ServiceNow[]
  chosen: string | undefined
  onChoose: (service: string) => void
}) {
  const text = useMessages(orderMessages).services
  const [restarts, setRestarts] = useState(false)
  const one = services.find(({ service }) => service === chosen)
  const main = services[0]?.service ?? ''
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-edge py-2" data-testid="service-switch">
      <span className="w-44 max-w-full">
        <Select
          label={text.label}
          value={chosen ?? ''}
          onChange={onChoose}
          options={[
            { value: '', label: text.all },
            ...services.map(({ service, state }) => ({
              value: service,
              // The state of the chosen one stands beside the list.
              label: service === chosen ? service : `${service} · ${text.states[state]}`,
            })),
          ]}
        />
      </span>
      {one ? (
        <>
          <StateDot tone={TONES[one.state]}>
            {text.states[one.state]}
            {one.state === 'ended' && one.code !== undefined && ` (${one.code})`}
          </StateDot>
          <Button size="sm" onClick={() => setRestarts(true)} icon={<RotateCw aria-hidden className="size-4" />}>
            {text.restart(one.service)}
          </Button>
        </>
      ) : (
        <span className="min-w-0 text-xs text-ink-3">{text.allText(main)}</span>
      )}
      {restarts && one && <PowerDialog order={order} action="restart" service={one.service} onClose={() => setRestarts(false)} />}
    </div>
  )
}
