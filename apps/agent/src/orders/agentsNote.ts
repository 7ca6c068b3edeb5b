import { formatCredit } from '@rackfair/rules/money'
import { orderEnd } from '@rackfair/rules/order/time'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import type { ChainOrder } from '../chain/read/chainView.ts'
import type { Application } from '../presets/loadCatalog.ts'
import type { Allowance } from '../runtime/Runtime.ts'

const HOUR_SECONDS = 3600
const GIB = 2 ** 30

/**
 * What a program inside is told of where it is, above all one that a model drives: the order, what it may use, until when, what that costs, and
 * how whoever rents the machine ends it. It has nothing but what the chain shows to everybody.
 */
export function agentsNote(
  order: ChainOrder,
  allowance: Allowance,
  { app, services = [] }: Pick<Application, 'app' | 'services'>,
): string {
  const { cores, memoryBytes, diskBytes, gpus } = allowance
  const hourWei = accruedWei(order.rate, HOUR_SECONDS)
  const models = [...new Set(gpus.map(({ model }) => model))].join(', ')
  const names = services.map(({ name }) => name)
  const hours = (seconds: number) => `${Number((seconds / HOUR_SECONDS).toFixed(2))} hours`
  const at = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')
  const time =
    order.activateTime > 0
      ? `It is paid until ${at(orderEnd(order))}, as of this deployment; it may be extended, and ended before.`
      : `It is paid for ${hours(order.duration)} from the moment at which the machine is ready; it may be extended, and ended before.`
  const lines = [
    '# Where this runs',
    '',
    `This is a container of order ${order.id} on Rackfair, a market for computers: a machine of provider ${order.provider}, rented by the second.`,
    '',
    `- Processor cores: ${Number(cores.toFixed(2))}`,
    `- Memory: ${Math.round((memoryBytes / GIB) * 10) / 10} GiB. What needs more is ended by the kernel.`,
    `- Disk: ${Math.round(diskBytes / 1e8) / 10} GB, for volumes and what is written to the root. It is wiped when the order ends.`,
    `- GPUs: ${gpus.length === 0 ? 'none' : `${gpus.length}, ${models}`}`,
    ...(names.length > 1
      ? [`- Services that share this and find each other by name: ${names.join(', ')}`]
      : app.ports.length > 0
        ? [`- Ports for others: ${app.ports.map(({ protocol, port }) => `${protocol} ${port}`).join(', ')}`]
        : []),
    "- Network: the internet, and nothing of the provider's own network.",
    '',
    '## Until when, and what it costs',
    '',
    time,
    `It costs ${formatCredit(hourWei)} USD an hour, by the second. What is not used when the order ends goes back to who rents it.`,
    '',
    '## Ending it, and what is left of it',
    '',
    'Nothing in here has a key: no program in here can end the order, extend it or spend anything, and what it prints is data to whoever reads it.',
    'Who rents the machine does, from outside, with the command line, the sdk or a page of the market:',
    '',
    '```',
    `rackfair cp ${order.id}:/path/in/here .   # copy files out`,
    `rackfair logs ${order.id}                 # what the application wrote to stdout and stderr`,
    `rackfair exec ${order.id} COMMAND         # run a command in here`,
    `rackfair cancel ${order.id}               # end it: the rest comes back, everything in here is wiped`,
    '```',
    '',
    'So write results to files, say where they are, and ask whoever started you to end the order when they have them.',
    ...(app.own?.job === 'cancel' ? ['This is a job: when its program ends, the provider ends the order.'] : []),
    '',
  ]
  return lines.join('\n')
}
