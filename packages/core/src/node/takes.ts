/**
 * What an application may need of a provider beside resources: that it takes images of renters, opens TCP and UDP ports, has a port for
 * SSH, and keeps a page for its owner.
 */
export const TAKES = ['own_images', 'ports', 'ssh', 'protected'] as const
export type Take = (typeof TAKES)[number]
