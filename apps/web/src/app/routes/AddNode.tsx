import { AddNodeScreen } from '../../features/provider/AddNodeScreen.tsx'

export default function AddNode() {
  return <AddNodeScreen />
}
