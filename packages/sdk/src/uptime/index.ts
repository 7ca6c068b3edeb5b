export * from './evidence.ts'
export * from './reports.ts'
