import { lazy, Suspense } from 'react'
import { NodesLoading } from '../../features/nodes/NodesLoading.tsx'
import { StatusScreen } from '../../features/status/StatusScreen.tsx'
import { withTexts } from '../../i18n/withTexts.ts'
import { loadOnce } from '../../lib/loadOnce.ts'
import { missingScreen } from '../MissingScreen.ts'
import { WhenWanted } from '../WhenWanted.tsx'

const load = loadOnce(
  withTexts(() => import('../../features/nodes/NodeBrowser.tsx').then((module) => ({ default: module.NodeBrowser }))),
)
const NodeBrowser = lazy(() => load().catch(missingScreen))

export default function Status() {
  const holder = <NodesLoading />
  const nodes = (
    <WhenWanted holder={holder}>
      <Suspense fallback={holder}>
        <NodeBrowser buy={false} />
      </Suspense>
    </WhenWanted>
  )
  return <StatusScreen nodes={nodes} />
}
