import type { en } from './messages.en.ts'

export type NextStep = keyof typeof en.next

const NEXT: Readonly<Record<string, NextStep>> = {
  text_malformed: 'signAgain',
  text_too_old: 'signAgain',
  text_in_future: 'signAgain',
  text_replayed: 'signAgain',
  text_out_of_order: 'signAgain',
  once_taken: 'signAgain',
  wrong_provider: 'signAgain',
  wrong_chain: 'signAgain',
  wrong_signer: 'wrongOrder',
  order_not_found: 'wrongOrder',
  order_not_owned: 'wrongOrder',
  order_not_active: 'wrongOrder',
  order_expired: 'wrongOrder',
  preset_unknown: 'other',
  preset_does_not_fit: 'other',
  preset_needs_origin: 'other',
  env_not_allowed: 'values',
  secrets_unreadable: 'signAgain',
  app_malformed: 'values',
  own_images_refused: 'other',
  runtime_refused: 'other',
  image_not_found: 'image',
  image_architecture: 'image',
  image_too_large: 'image',
  registry_denied: 'image',
  registry_unreachable: 'wait',
  port_unavailable: 'provider',
  port_clash: 'other',
  agent_busy: 'wait',
  chain_unreachable: 'wait',
  provider_offline: 'wait',
  deploy_timeout: 'wait',
  image_missing: 'provider',
  engine_unavailable: 'provider',
  isolation_unavailable: 'provider',
  gpu_unavailable: 'provider',
  node_oversold: 'provider',
  disk_full: 'provider',
}

/** What to do after a deployment was refused or failed with a code. */
export function nextStep(code: string | undefined): NextStep {
  return NEXT[code ?? ''] ?? 'again'
}
