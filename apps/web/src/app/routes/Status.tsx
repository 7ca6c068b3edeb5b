import { lazy, Suspense } from 'react'
import { NodesLoading } from '../../features/nodes/NodesLoading.tsx'
import { StatusScreen } from '../../features/status/StatusScreen.tsx'
import { withTexts } from '../../i18n/withTexts.ts'
import { loadOnce } from '../../platform/loading/loadOnce.ts'
import { AfterFirstInteraction } from '../AfterFirstInteraction.tsx'
import { missingScreen } from '../MissingScreen.ts'

const load = loadOnce(
  withTexts(() => import('../../features/nodes/NodeBrowser.tsx').then((module) => ({ default: module.NodeBrowser }))),
)
const NodeBrowser = lazy(() => load().catch(missingScreen))

export default function Status() {
  const holder = <NodesLoading />
  const nodes = (
    <AfterFirstInteraction holder={holder}>
      <Suspense fallback={holder}>
        <NodeBrowser buy={false} />
      </Suspense>
    </AfterFirstInteraction>
  )
  return <StatusScreen nodes={nodes} />
}
