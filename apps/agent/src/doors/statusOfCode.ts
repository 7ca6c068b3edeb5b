const STATUS: Readonly<Record<string, number>> = {
  text_malformed: 400,
  text_too_old: 400,
  text_in_future: 400,
  env_not_allowed: 400,
  secrets_unreadable: 409,
  app_malformed: 400,
  own_images_refused: 409,
  runtime_refused: 409,
  port_unavailable: 409,
  preset_unknown: 404,
  preset_does_not_fit: 409,
  preset_needs_origin: 409,
  node_oversold: 409,
  wrong_signer: 401,
  wrong_provider: 403,
  wrong_chain: 403,
  order_not_owned: 403,
  key_revoked: 403,
  order_not_found: 404,
  order_not_active: 409,
  order_expired: 409,
  text_replayed: 409,
  text_out_of_order: 409,
  once_taken: 409,
  agent_busy: 429,
}

/** The HTTP status of an agent's refusal; anything unforeseen is a 503 that may be tried again. */
export function statusOfCode(code: string): number {
  return STATUS[code] ?? 503
}
