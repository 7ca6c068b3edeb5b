import type { Provider } from '@rackfair/rules/provider/provider'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { registrationMessages } from '../messages.ts'
import { EditProviderDialog } from './EditProviderDialog.tsx'
import { OperatorDialog } from './OperatorDialog.tsx'
import { ReachCheck } from './ReachCheck.tsx'

/** Name, IP, Port, Domain, and the agent that answers for them. */
export function DetailsCard({ provider }: { provider: Provider }) {
  const all = useMessages(registrationMessages)
  const text = all.details
  const format = useFormat()
  const now = useNow(10_000)
  const [dialog, setDialog] = useState<'edit' | 'operator'>()
  const agent = provider.online
    ? text.agentOnline
    : provider.offlineSince === null
      ? text.agentNever
      : text.agentSeen(format.ago(provider.offlineSince, now))

  return (
    <Card title={text.title}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            { term: text.name, value: provider.name },
            { term: text.ip, value: provider.ip },
            { term: text.port, value: String(provider.port) },
            { term: text.domain, value: provider.domain || all.notSet },
            { term: text.address, value: <Address value={provider.address} /> },
            { term: text.agent, value: agent },
            { term: text.operator, value: provider.operator ? <Address value={provider.operator} /> : text.operatorNone },
          ]}
        />
        <ReachCheck provider={provider}>
          <Button onClick={() => setDialog('edit')}>{text.editTitle}</Button>
          <Button onClick={() => setDialog('operator')}>{provider.operator ? text.operatorChange : text.operatorSet}</Button>
        </ReachCheck>
      </div>
      {dialog === 'edit' && <EditProviderDialog provider={provider} onClose={() => setDialog(undefined)} />}
      {dialog === 'operator' && <OperatorDialog provider={provider} onClose={() => setDialog(undefined)} />}
    </Card>
  )
}
