const POLL_MS = 50

/** Between two polls of what a cluster is about to do. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_MS))
