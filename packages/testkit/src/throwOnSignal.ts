const SCRIPT = `
import { EventEmitter } from 'node:events'
const throwers = [
  () => { new EventEmitter().emit('error', new Error('thrown by the test: an event')) },
  () => { void Promise.reject(new Error('thrown by the test: a promise')) },
  () => { throw 'thrown by the test: a text' },
]
let count = 0
process.on('SIGUSR2', () => setImmediate(throwers[count++ % throwers.length]))
process.on('SIGWINCH', () => { for (let index = 0; index < 101; index += 1) setImmediate(throwers[0]) })
`

/**
 * Environment of a Node program that gets, at each SIGUSR2, an error that nothing in it handles: of an event, a promise, a timer, in turn. At
 * SIGWINCH it gets 101 of them.
 */
export const THROWS_ON_SIGNAL = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SCRIPT)}` }
