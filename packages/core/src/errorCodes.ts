/** Codes of the platform's HTTP answers. */
export const PLATFORM_CODES = [
  'bad_request',
  'not_found',
  'unauthenticated',
  'forbidden',
  'conflict',
  'payload_too_large',
  'rate_limited',
  'not_ready',
  'internal',
  'nonce_unknown',
  'message_invalid',
  'signature_invalid',
  'faucet_unavailable',
  'faucet_exhausted',
  'provider_offline',
  'deploy_timeout',
] as const
export type PlatformCode = (typeof PLATFORM_CODES)[number]

/** Why an agent refused a deploy request, or why a deployment failed. */
export const AGENT_CODES = [
  'text_malformed',
  'text_too_old',
  'text_in_future',
  'text_replayed',
  'text_out_of_order',
  'wrong_provider',
  'wrong_chain',
  'wrong_signer',
  'order_not_found',
  'order_not_owned',
  'order_not_active',
  'order_expired',
  'preset_unknown',
  'preset_does_not_fit',
  'preset_needs_origin',
  'env_not_allowed',
  'secrets_unreadable',
  'app_malformed',
  'own_images_refused',
  'runtime_refused',
  'agent_busy',
  'chain_unreachable',
  'image_missing',
  'image_changed',
  'image_not_found',
  'image_architecture',
  'image_too_large',
  'registry_denied',
  'registry_unreachable',
  'port_unavailable',
  'engine_unavailable',
  'isolation_unavailable',
  'gpu_unavailable',
  'node_oversold',
  'disk_full',
  'start_failed',
  'start_timeout',
  'job_failed',
] as const
export type AgentCode = (typeof AGENT_CODES)[number]

/** Why a request or a stream of an order's workspace was refused or ended. Codes of agents occur there too. */
export const WORKSPACE_CODES = [
  'workspace_unsupported',
  'key_expired',
  'key_revoked',
  'stream_broken',
  'stream_interrupted',
  'too_many_streams',
  'app_not_running',
  'file_not_found',
  'file_exists',
  'upload_in_progress',
  'file_refused',
  'name_too_long',
  'file_unreadable',
  'order_disk_full',
  'ssh_key_refused',
  'too_many_keys',
] as const
export type WorkspaceCode = (typeof WORKSPACE_CODES)[number]

/** What can go wrong between the page, the wallet and the chain. */
export const WALLET_CODES = [
  'user_rejected',
  'wrong_network',
  'not_connected',
  'wallet_locked',
  'account_changed',
  'insufficient_gas',
  'insufficient_credit',
  'hardware_not_verified',
  'transaction_reverted',
  'transaction_timeout',
  'transaction_unknown',
  'transaction_replaced',
  'rpc_unreachable',
  'platform_unreachable',
  'answer_malformed',
  'not_deployed_on_chain',
  'unknown',
] as const
export type WalletCode = (typeof WALLET_CODES)[number]

export type CoreErrorCode = PlatformCode | AgentCode | WorkspaceCode | WalletCode
