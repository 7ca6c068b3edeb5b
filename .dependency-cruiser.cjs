const { WALLS } = require('./scripts/test/walls.ts')

/** The walls of scripts/test/walls.ts that are about imports. */
module.exports = {
  forbidden: WALLS.flatMap(({ name, imports }) => (imports ? [{ name, severity: 'error', ...imports }] : [])),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/test-results/', '/out/', '/cache/', '\\.d\\.mts$'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
