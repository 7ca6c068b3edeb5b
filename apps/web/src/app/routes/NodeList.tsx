import { NodeListScreen } from '../../features/nodes/NodeListScreen.tsx'
import { MarketLine } from '../../features/status/MarketLine.tsx'
import { ResourceRings } from '../../features/status/ResourceRings.tsx'

export default function NodeList() {
  return <NodeListScreen lead={<MarketLine />} totals={<ResourceRings />} />
}
