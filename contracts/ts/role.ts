/** The values of IAccess.Role, for setRole. */
export const ROLE = { Guardian: 0, Validator: 1, Treasury: 2 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]
