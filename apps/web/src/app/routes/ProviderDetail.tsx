import { NodeBrowser } from '../../features/nodes/NodeBrowser.tsx'
import { ProviderDetailScreen } from '../../features/provider-detail/ProviderDetailScreen.tsx'

export default function ProviderDetail() {
  return <ProviderDetailScreen machinesOf={(provider) => <NodeBrowser key={provider} buy provider={provider} />} />
}
