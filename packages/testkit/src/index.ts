export * from './accounts.ts'
export * from './freePort.ts'
export * from './startAnvil.ts'
export * from './startPostgres.ts'
