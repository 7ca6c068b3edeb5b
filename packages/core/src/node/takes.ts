/**
 * What an application may need of a provider beside resources: that it takes images of renters, opens TCP and UDP ports, has a port for
 * SSH, keeps a page for its owner, and puts an application behind a kernel of its own.
 */
export const TAKES = ['own_images', 'ports', 'ssh', 'protected', 'gvisor'] as const
export type Take = (typeof TAKES)[number]
