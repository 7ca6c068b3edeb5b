import type { Runtime } from '../../runtime/Runtime.ts'

/** What a connection may use of an order's application. */
export type Inside = Pick<Runtime, 'exec' | 'terminal' | 'fileServer' | 'connect'>
