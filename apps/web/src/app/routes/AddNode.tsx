import { AddNodeScreen } from '../../features/provider-nodes/AddNodeScreen.tsx'

export default function AddNode() {
  return <AddNodeScreen />
}
