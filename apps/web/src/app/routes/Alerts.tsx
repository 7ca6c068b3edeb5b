import { AlertsScreen } from '../../features/alerts/AlertsScreen.tsx'

export default function Alerts() {
  return <AlertsScreen />
}
