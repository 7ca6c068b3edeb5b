import { type ComponentType, use } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { withTexts } from '../i18n/withTexts.ts'
import { loadOnce } from '../platform/loading/loadOnce.ts'
import { useTakeOver } from '../prerender/takeOver.ts'
import { missingScreen } from './MissingScreen.ts'
import { PATHS } from './paths.ts'

type Module = { default: ComponentType }
/** The same promise that is preloaded before the first render, which can then use the module at once. */
const screen = (load: () => Promise<Module>) => {
  const code = withTexts(load)
  return loadOnce(() => code().catch(missingScreen))
}

const Home = screen(() => import('./routes/Home.tsx'))
const NodeList = screen(() => import('./routes/NodeList.tsx'))
const Deploy = screen(() => import('./routes/Deploy.tsx'))
const NotFound = screen(() => import('./routes/NotFound.tsx'))

const SCREENS = [
  [PATHS.home, Home],
  [PATHS.homeToo, Home],
  [PATHS.status, screen(() => import('./routes/Status.tsx'))],
  [PATHS.nodeList, NodeList],
  [PATHS.search, NodeList],
  [PATHS.machine, screen(() => import('./routes/Machine.tsx'))],
  [PATHS.mySpace, screen(() => import('./routes/MySpace.tsx'))],
  [PATHS.providerInfo, screen(() => import('./routes/ProviderInfo.tsx'))],
  [PATHS.addProvider, screen(() => import('./routes/AddProvider.tsx'))],
  [PATHS.addNode, screen(() => import('./routes/AddNode.tsx'))],
  [PATHS.addOrder, screen(() => import('./routes/AddOrder.tsx'))],
  [PATHS.extendOrder, screen(() => import('./routes/ExtendOrder.tsx'))],
  [PATHS.orderInfo, screen(() => import('./routes/OrderInfo.tsx'))],
  [PATHS.providerDetail, screen(() => import('./routes/ProviderDetail.tsx'))],
  [PATHS.deploy, Deploy],
  [PATHS.orderDeploy, Deploy],
  [PATHS.keys, screen(() => import('./routes/Keys.tsx'))],
  [PATHS.alerts, screen(() => import('./routes/Alerts.tsx'))],
  [PATHS.console, screen(() => import('./routes/Console.tsx'))],
  [PATHS.design, import.meta.env.DEV ? screen(() => import('./routes/Design.tsx')) : NotFound],
] as const

export function Routes() {
  return (
    <Switch>
      {SCREENS.map(([path, code]) => (
        <Route key={path} path={path}>
          <Screen code={code} />
        </Route>
      ))}
      <Route>
        <Screen code={NotFound} />
      </Route>
    </Switch>
  )
}

function Screen({ code }: { code: () => Promise<Module> }) {
  const [path] = useLocation()
  const { default: Page } = use(tryOnce(path, code))
  useTakeOver()
  return <Page />
}

const tries = { path: '', of: new Map<() => Promise<Module>, Promise<Module>>() }

/** A screen that failed to load is retried on the next navigation, not on every render, which would loop. */
function tryOnce(path: string, code: () => Promise<Module>): Promise<Module> {
  if (tries.path !== path) {
    tries.path = path
    tries.of.clear()
  }
  const trying = tries.of.get(code) ?? code()
  tries.of.set(code, trying)
  return trying
}

/** Preloads the screen of a URL, so that the page renders whole. A screen that fails to load says so when rendered. */
export async function loadScreen(path: string): Promise<void> {
  const clean = path.length > 1 ? path.replace(/\/$/, '') : path
  const [, found] = SCREENS.find(([pattern]) => pattern === clean) ?? []
  const ofOrder = clean.startsWith(PATHS.orderDeploy.split(':')[0] ?? '')
  await (found ?? (ofOrder ? Deploy : NotFound))().catch(() => undefined)
}
