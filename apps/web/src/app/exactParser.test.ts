import { expect, it } from 'vitest'
import { exactParser } from './exactParser.ts'
import { PATHS } from './paths.ts'

const matches = (route: string, path: string) => exactParser(route, false).pattern.exec(path)?.slice(1)

it('matches every screen at its path only', () => {
  expect(matches(PATHS.home, '/')).toEqual([])
  for (const path of ['/nodelist', '/nodelist/']) expect(matches(PATHS.nodeList, path)).toEqual([])
  for (const path of ['/NodeList', '/nodelist/x', '/x/nodelist', '/nodelis', ''])
    expect(matches(PATHS.nodeList, path)).toBeUndefined()
  for (const path of ['/orderdeploy/7/', '/orderdeploy/7']) expect(matches(PATHS.orderDeploy, path)).toEqual(['7'])
  for (const path of ['/OrderDeploy/7', '/orderdeploy/', '/orderdeploy/7/8'])
    expect(matches(PATHS.orderDeploy, path)).toBeUndefined()
})

it('matches any path by the wildcard', () => {
  for (const path of ['/', '/nothing-here', '/orderdeploy/7/8']) expect(matches('*', path)).toEqual([path.slice(1)])
})
