import type { Provider } from '@rackfair/rules/provider/provider'
import { useQuery } from '@tanstack/react-query'
import { providerOrdersQuery } from '../../../entities/order/queries.ts'
import type { MachinesRead } from '../../../entities/workspace/useMachines.ts'
import type { WorkspaceState } from '../../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ownNodeMessages } from '../messages.ts'
import { MachinesAccess } from './MachinesAccess.tsx'
import { MachinesTable } from './MachinesTable.tsx'

interface MachinesPanelProps {
  provider: Provider
  workspace: WorkspaceState
  read: MachinesRead
}

/** The provider's machines, with what its agent says of them. */
export function MachinesPanel({ provider, workspace, read }: MachinesPanelProps) {
  const text = useMessages(ownNodeMessages).node
  const { data: orders } = useQuery(providerOrdersQuery(provider.address))
  const nodes = provider.nodes.filter((node) => node.exist)
  if (nodes.length === 0) return <EmptyState title={text.emptyTitle}>{text.emptyText}</EmptyState>
  return (
    <>
      <MachinesAccess state={workspace} read={read} />
      <MachinesTable nodes={nodes} orders={orders ?? []} machines={read.machines} />
    </>
  )
}
