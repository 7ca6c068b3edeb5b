import { NodeListScreen } from '../../features/nodes/NodeListScreen.tsx'

export default function NodeList() {
  return <NodeListScreen />
}
