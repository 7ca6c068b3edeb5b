/** The sources that the programs and the web app are built from, beside their own. */
export const LIBRARIES = [
  'packages/app-spec/src',
  'packages/rules/src',
  'packages/protocol/src',
  'packages/hardware/src',
  'packages/sdk/src',
  'contracts/ts',
] as const
