import { ONE_CREDIT_WEI } from './money.ts'

/** A suggested list price: USD per unit and month. */
export interface ListPrice {
  model: string
  usdPerMonth: number
}

/** A list price in wei of Credit per unit and month. */
export const listPriceWei = ({ usdPerMonth }: ListPrice): bigint => BigInt(usdPerMonth) * ONE_CREDIT_WEI

/** GPU price presets, per GPU and month (product specification, point 9). */
export const GPU_PRESETS: readonly ListPrice[] = [
  { model: 'RTX 4090', usdPerMonth: 133 },
  { model: 'RTX 4080', usdPerMonth: 139 },
  { model: 'RTX 3090', usdPerMonth: 118 },
  { model: 'RTX 3080 Ti', usdPerMonth: 81 },
  { model: 'RTX 3080', usdPerMonth: 62 },
  { model: 'RTX 3070', usdPerMonth: 40 },
  { model: 'RTX 2080', usdPerMonth: 41 },
  { model: 'RTX 2060', usdPerMonth: 25 },
]

/** CPU price presets, per processor and month (product specification, point 9). */
export const CPU_PRESETS: readonly ListPrice[] = [
  { model: 'Xeon Platinum 8380', usdPerMonth: 266 },
  { model: 'Xeon Platinum 8376HL', usdPerMonth: 358 },
  { model: 'Xeon Platinum 8358', usdPerMonth: 358 },
  { model: 'Xeon Platinum 8280', usdPerMonth: 834 },
  { model: 'Xeon Gold 6258R', usdPerMonth: 329 },
  { model: 'Xeon Gold 6238R', usdPerMonth: 329 },
  { model: 'Xeon Gold 6226R', usdPerMonth: 87 },
  { model: 'Xeon Silver 4316', usdPerMonth: 43 },
  { model: 'Xeon Silver 4216', usdPerMonth: 43 },
  { model: 'Xeon Silver 4214R', usdPerMonth: 43 },
]

/** A setting of a catalogue application. */
export interface PresetSetting {
  name: string
  label: { en: string; zh: string }
  default: string
  /** A regular expression that has to match the whole value. */
  pattern: string
  maxLength: number
  secret: boolean
}

/** An application of the catalogue, with its requirements. */
export interface Preset {
  /** The deploy id. */
  id: number
  name: string
  title: string
  /** File name of its logo, served by the platform. */
  logo: string
  description: { en: string; zh: string }
  /** The recommended model, or an empty string, and how much memory each GPU must have, in GB; 0 where any is enough. */
  gpu: { model: string; count: number; memoryGb: number }
  cores: number
  memoryGb: number
  diskGb: number
  /** From the request to running, with the image present. */
  startSeconds: number
  access: 'public' | 'owner'
  /** False until this project has run the application itself. */
  tried: boolean
  settings: readonly PresetSetting[]
  image: string
  /** Of an image that is built on the machine: how large it becomes, in megabytes. */
  imageMb?: number | undefined
  /** TCP and UDP ports that it has beside its page. */
  ports: readonly PresetPort[]
  /** Under which terms its authors give it away: its name, empty where they name none, and where they say so. */
  licence: { name: string; url: string }
}

/** A port of a catalogue application, which its provider maps to one of the machine's. */
export interface PresetPort {
  protocol: 'tcp' | 'udp'
  port: number
}

/** The catalogue of preset applications. The deploy id is the catalogue id; 0 cleans. */
export const PRESET_IDS = {
  apache: 1,
  nginx: 2,
  ubuntu: 3,
  facefusion: 4,
  stablediffusion: 5,
  'mefs-provider': 6,
  'mefs-user': 7,
  pytorch: 8,
  ollama: 9,
  vllm: 10,
  comfyui: 11,
  desktop: 12,
  postgresql: 13,
  minio: 14,
  'code-server': 15,
} as const
export type PresetName = keyof typeof PRESET_IDS

/** The name of every application in the catalogue. */
export const PRESET_NAMES = Object.keys(PRESET_IDS) as [PresetName, ...PresetName[]]
export const CLEAN_DEPLOY_ID = 0
