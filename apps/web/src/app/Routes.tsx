import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { PATHS } from './paths.ts'

const Home = lazy(() => import('./routes/Home.tsx'))
const Status = lazy(() => import('./routes/Status.tsx'))
const NodeList = lazy(() => import('./routes/NodeList.tsx'))
const MySpace = lazy(() => import('./routes/MySpace.tsx'))
const ProviderInfo = lazy(() => import('./routes/ProviderInfo.tsx'))
const AddProvider = lazy(() => import('./routes/AddProvider.tsx'))
const AddNode = lazy(() => import('./routes/AddNode.tsx'))
const AddOrder = lazy(() => import('./routes/AddOrder.tsx'))
const ExtendOrder = lazy(() => import('./routes/ExtendOrder.tsx'))
const OrderInfo = lazy(() => import('./routes/OrderInfo.tsx'))
const ProviderDetail = lazy(() => import('./routes/ProviderDetail.tsx'))
const Deploy = lazy(() => import('./routes/Deploy.tsx'))
const Console = lazy(() => import('./routes/Console.tsx'))
const NotFound = lazy(() => import('./routes/NotFound.tsx'))
const Design = import.meta.env.DEV ? lazy(() => import('./routes/Design.tsx')) : NotFound

export function Routes() {
  return (
    <Switch>
      <Route path={PATHS.home} component={Home} />
      <Route path={PATHS.homeToo} component={Home} />
      <Route path={PATHS.status} component={Status} />
      <Route path={PATHS.nodeList} component={NodeList} />
      <Route path={PATHS.search} component={NodeList} />
      <Route path={PATHS.mySpace} component={MySpace} />
      <Route path={PATHS.providerInfo} component={ProviderInfo} />
      <Route path={PATHS.addProvider} component={AddProvider} />
      <Route path={PATHS.addNode} component={AddNode} />
      <Route path={PATHS.addOrder} component={AddOrder} />
      <Route path={PATHS.extendOrder} component={ExtendOrder} />
      <Route path={PATHS.orderInfo} component={OrderInfo} />
      <Route path={PATHS.providerDetail} component={ProviderDetail} />
      <Route path={PATHS.deploy} component={Deploy} />
      <Route path={PATHS.orderDeploy} component={Deploy} />
      <Route path={PATHS.console} component={Console} />
      <Route path={PATHS.design} component={Design} />
      <Route component={NotFound} />
    </Switch>
  )
}
