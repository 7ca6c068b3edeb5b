export { type Api, createApi, type ReadOptions } from './createApi.ts'
