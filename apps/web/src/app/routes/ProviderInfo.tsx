import { MaintenanceCard } from '../../features/provider-maintenance/MaintenanceCard.tsx'
import { EarnedCard } from '../../features/provider-money/earnings/EarnedCard.tsx'
import { EarningsPanel } from '../../features/provider-money/earnings/EarningsPanel.tsx'
import { WithdrawCell } from '../../features/provider-money/earnings/WithdrawCell.tsx'
import { PledgeCell } from '../../features/provider-money/pledge/PledgeCell.tsx'
import { PledgePanel } from '../../features/provider-money/pledge/PledgePanel.tsx'
import { MachinesPanel } from '../../features/provider-nodes/machines/MachinesPanel.tsx'
import { OrdersPanel } from '../../features/provider-orders/OrdersPanel.tsx'
import { ProviderOverview } from '../../features/provider-overview/ProviderOverview.tsx'
import { ProviderScreen } from '../../features/provider-overview/ProviderScreen.tsx'
import { DetailsCard } from '../../features/provider-registration/details/DetailsCard.tsx'
import { NotYetProvider } from '../../features/provider-registration/NotYetProvider.tsx'

export default function ProviderInfo() {
  return (
    <ProviderScreen start={<NotYetProvider />}>
      {(provider) => (
        <ProviderOverview
          provider={provider}
          withdrawal={<WithdrawCell address={provider.address} />}
          renderPledge={(managing, onManage) => <PledgeCell managing={managing} onManage={onManage} />}
          earned={<EarnedCard address={provider.address} />}
          renderMachines={(workspace, read) => <MachinesPanel provider={provider} workspace={workspace} read={read} />}
          orders={<OrdersPanel address={provider.address} />}
          earnings={<EarningsPanel address={provider.address} providerName={provider.name} />}
          pledgeHistory={<PledgePanel address={provider.address} />}
          details={<DetailsCard provider={provider} />}
          maintenance={<MaintenanceCard provider={provider} />}
        />
      )}
    </ProviderScreen>
  )
}
