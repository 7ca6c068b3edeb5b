/** The pictures of the browser tests' tour (e2e/takePicture.ts) that show the four steps. */
export const STEP_PICTURES = { find: '2-nodes', pay: '4-purchase', deploy: '8-running', leave: '12-cancel' } as const
