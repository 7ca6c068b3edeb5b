import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { addNodeCall, updateNodeCall } from '@rackfair/sdk'
import { openChain } from '../../chain/read/chainView.ts'
import { type NodeContext, requireRoom } from '../nodeCommands.ts'
import type { Output } from '../output.ts'
import type { PlannedStep } from '../providerPlan.ts'
import { summaryOf } from '../register.ts'
import { sendAsProvider } from '../sendSteps.ts'
import { adoptLabels, type ImportChange, type Labels, planImport } from './planImport.ts'
import { readNodeFile } from './readNodeFile.ts'

const KINDS: Readonly<Record<string, 'csv' | 'yaml'>> = { '.csv': 'csv', '.yaml': 'yaml', '.yml': 'yaml' }

/**
 * Brings the provider's nodes in line with a file. Nothing is sent unless the whole file is valid and fits this machine; a second import
 * sends only what is missing. With `dryRun` it only reports what it would send.
 */
export async function importNodes(context: NodeContext, file: string, dryRun: boolean, output: Output): Promise<void> {
  const kind = KINDS[extname(file).toLowerCase()]
  if (!kind) throw new AppError('bad_request', `${file}: the name must end in .csv, .yaml or .yml; nothing was sent`)
  const wanted = readNodeFile(readText(file), kind)
  const chain = await openChain(context.config)
  const listed = await chain.nodes()
  const labelFile = join(context.data, 'node-labels.json')
  const plan = planImport(wanted, listed, readLabels(labelFile))
  const rest = listed.filter(({ id }) => !plan.some((change) => change.kind === 'change' && change.nodeId === id))
  const inputs = plan.flatMap((change) => (change.kind === 'add' || change.kind === 'change' ? [change.input] : []))
  if (inputs.length > 0) await requireRoom(context, [...rest, ...inputs])
  for (const change of plan) output.say(sentenceOf(change))
  const steps = plan.flatMap((change): PlannedStep[] => {
    const title = sentenceOf(change)
    if (change.kind === 'add') return [{ title, call: addNodeCall(chain.addresses, change.input) }]
    if (change.kind !== 'change') return []
    return [{ title, call: updateNodeCall(chain.addresses, change.nodeId, change.input) }]
  })
  if (dryRun) return output.result({ plan, sent: false }, `${steps.length} transactions would be sent; nothing was.`)
  const keepLabels = async () => writeLabels(labelFile, adoptLabels(wanted, await chain.nodes(), readLabels(labelFile)))
  const sent = await sendAsProvider(chain, context.config.rpcUrl, context.config.provider, steps, output).finally(keepLabels)
  output.result({ plan, ...sent }, summaryOf(sent))
}

function sentenceOf(change: ImportChange): string {
  switch (change.kind) {
    case 'add':
      return `${change.label}: add a node`
    case 'change':
      return `${change.label}: change node ${change.nodeId}`
    case 'same':
      return `${change.label}: node ${change.nodeId} is as it should be`
    case 'sold':
      return `${change.label}: node ${change.nodeId} is held by order ${change.orderId} and stays as it is until that is over`
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AppError('bad_request', `${file} cannot be read; nothing was sent`, { cause })
  }
}

function readLabels(file: string): Labels {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])))
  } catch {
    // Without the file, labels are matched to nodes identical to their lines.
    return {}
  }
}

function writeLabels(file: string, labels: Labels): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(labels, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
