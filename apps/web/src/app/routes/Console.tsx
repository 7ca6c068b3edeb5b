import { ConsoleScreen } from '../../features/console/ConsoleScreen.tsx'

export default function Console() {
  return <ConsoleScreen />
}
