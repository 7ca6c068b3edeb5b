import { MAX_COUNT, MAX_DOMAIN_BYTES, MAX_GB, MAX_IP_BYTES, MAX_MODEL_BYTES, MAX_NAME_BYTES } from './limits.ts'
import { PRICE_DECIMALS, parseCredit } from './money.ts'
import { tbToGb } from './node/name.ts'
import { ratePerMonthWei } from './prices/pricing.ts'
import { plainNumber } from './text/plainNumber.ts'

/** Why a field of a form is refused. The web has one text for each. */
export type FieldProblem =
  | 'required'
  | 'not_a_number'
  | 'not_whole'
  | 'too_small'
  | 'too_large'
  | 'too_long'
  | 'too_many_decimals'
  | 'not_an_address'
  | 'not_a_domain'

export interface ProviderFields {
  name: string
  ip: string
  port: string
  domain: string
}

export interface NodeFields {
  cpuModel: string
  nCPU: string
  core: string
  pCPU: string
  gpuModel: string
  nGPU: string
  pGPU: string
  diskTb: string
  pDISKPerTb: string
  memGb: string
  pMEM: string
}

/** A node as the Registry takes it: counts, GB, and wei per unit and month. */
export interface NodeInput {
  cpuModel: string
  gpuModel: string
  nCPU: number
  core: number
  nGPU: number
  nMEM: number
  nDISK: number
  pCPU: bigint
  pGPU: bigint
  pMEM: bigint
  pDISK: bigint
}

export type Problems<Fields> = { [Field in keyof Fields]?: FieldProblem }

const bytes = (text: string) => new TextEncoder().encode(text).length

/** Validates the provider form: name, ip and port required, port 1 to 65535, domain optional. An empty result means valid. */
export function checkProviderFields(fields: ProviderFields): Problems<ProviderFields> {
  const problems: Problems<ProviderFields> = {}
  const name = fields.name.trim()
  if (name === '') problems.name = 'required'
  else if (bytes(name) > MAX_NAME_BYTES) problems.name = 'too_long'

  const ip = fields.ip.trim()
  if (ip === '') problems.ip = 'required'
  else if (bytes(ip) > MAX_IP_BYTES) problems.ip = 'too_long'
  else if (!isIpAddress(ip)) problems.ip = 'not_an_address'

  const portProblem = wholeProblem(fields.port, 1, 65_535)
  if (portProblem) problems.port = portProblem

  const domain = fields.domain.trim()
  if (bytes(domain) > MAX_DOMAIN_BYTES) problems.domain = 'too_long'
  else if (domain !== '' && !/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i.test(domain))
    problems.domain = 'not_a_domain'
  return problems
}

/**
 * Validates the node form. A part that the node does not have is left empty or 0, its model too; CPU or GPU is required, and a total
 * price above 0.
 * Storage is entered in TB with up to three decimals and priced per TB; the chain stores GB, so a TB price is divided by 1000 exactly.
 */
export function checkNodeFields(fields: NodeFields): { input: NodeInput } | { problems: Problems<NodeFields> } {
  const problems: Problems<NodeFields> = {}
  const note = (field: keyof NodeFields, problem: FieldProblem | undefined) => {
    if (problem) problems[field] = problem
  }
  const count = (field: keyof NodeFields, min: number, max: number) => {
    const text = fields[field].trim() === '' ? '0' : fields[field]
    note(field, wholeProblem(text, min, max))
    return Number(plainNumber(text))
  }
  const price = (field: keyof NodeFields, decimals: number) => {
    const text = fields[field].trim() === '' ? '0' : fields[field]
    const wei = parseCredit(text, decimals)
    if (wei === undefined) note(field, parseCredit(text) === undefined ? 'not_a_number' : 'too_many_decimals')
    return wei ?? 0n
  }
  const model = (field: keyof NodeFields, needed: boolean) => {
    const text = fields[field].trim()
    if (needed && text === '') note(field, 'required')
    if (bytes(text) > MAX_MODEL_BYTES) note(field, 'too_long')
    return text
  }

  const nCPU = count('nCPU', 0, MAX_COUNT)
  const nGPU = count('nGPU', 0, MAX_COUNT)
  const core = count('core', nCPU > 0 ? 1 : 0, MAX_COUNT)
  const nMEM = count('memGb', 0, MAX_GB)
  const gb = tbToGb(fields.diskTb.trim() === '' ? '0' : fields.diskTb)
  if (gb === undefined) note('diskTb', /^\d+\.\d{4,}$/.test(plainNumber(fields.diskTb)) ? 'too_many_decimals' : 'not_a_number')
  else if (gb > MAX_GB) note('diskTb', 'too_large')

  const pCPU = price('pCPU', PRICE_DECIMALS)
  const pGPU = price('pGPU', PRICE_DECIMALS)
  const pMEM = price('pMEM', PRICE_DECIMALS)
  const pDISKPerTb = price('pDISKPerTb', PRICE_DECIMALS - 3)

  // A model without a number would be listed as a machine without it.
  if (nCPU === 0 && fields.cpuModel.trim() !== '') note('nCPU', 'required')
  if (nGPU === 0 && fields.gpuModel.trim() !== '') note('nGPU', 'required')
  if (nCPU === 0 && nGPU === 0) note('nCPU', 'too_small')
  const input: NodeInput = {
    cpuModel: model('cpuModel', nCPU > 0),
    gpuModel: model('gpuModel', nGPU > 0),
    nCPU,
    core,
    nGPU,
    nMEM,
    nDISK: gb ?? 0,
    pCPU,
    pGPU,
    pMEM,
    pDISK: pDISKPerTb / 1000n,
  }
  // Fields that are not numbers are already reported, and have no sum.
  if (Object.keys(problems).length === 0 && ratePerMonthWei(input, input) === 0n) note(nCPU > 0 ? 'pCPU' : 'pGPU', 'too_small')
  return Object.keys(problems).length > 0 ? { problems } : { input }
}

function wholeProblem(text: string, min: number, max: number): FieldProblem | undefined {
  const trimmed = plainNumber(text)
  if (trimmed === '') return 'required'
  if (!/^-?\d+(\.\d+)?$/.test(trimmed)) return 'not_a_number'
  const value = Number(trimmed)
  if (!Number.isInteger(value)) return 'not_whole'
  if (value < min) return 'too_small'
  return value > max ? 'too_large' : undefined
}

/** True for a dotted IPv4 or an IPv6 address; host names belong in the domain field. */
export function isIpAddress(text: string): boolean {
  const v4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (v4) return v4.slice(1).every((part) => Number(part) <= 255 && String(Number(part)) === part)
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? groups.length < 8 : groups.length === 8
}
