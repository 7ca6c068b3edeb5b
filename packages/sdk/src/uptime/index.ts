export * from './evidence.ts'
export * from './readMonitors.ts'
export * from './reports.ts'
