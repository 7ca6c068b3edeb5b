import { MachineScreen } from '../../features/nodes/machine/MachineScreen.tsx'

export default function Machine() {
  return <MachineScreen />
}
