import { StatusScreen } from '../../features/status/StatusScreen.tsx'

export default function Status() {
  return <StatusScreen />
}
