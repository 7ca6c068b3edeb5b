import { NodeBrowser } from '../../features/nodes/NodeBrowser.tsx'
import { StatusScreen } from '../../features/status/StatusScreen.tsx'

export default function Status() {
  return <StatusScreen nodes={<NodeBrowser buy={false} />} />
}
