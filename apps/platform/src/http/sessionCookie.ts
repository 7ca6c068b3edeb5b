/** The cookie that carries the token of a session. */
export const COOKIE = 'rackfair_session'
