import { DeployScreen } from '../../features/deploy/DeployScreen.tsx'

export default function Deploy() {
  return <DeployScreen />
}
