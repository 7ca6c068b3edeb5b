import { HomeScreen } from '../../features/home/HomeScreen.tsx'

export default function Home() {
  return <HomeScreen />
}
