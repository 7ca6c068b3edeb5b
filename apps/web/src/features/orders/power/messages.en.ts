export const en = {
  restart: {
    title: (app: string) => `Restart ${app}?`,
    text: 'The application is stopped and started again. Everything on the order’s disk stays; open connections and terminals end, and it does not answer for a few seconds.',
    do: 'Restart',
    done: (app: string) => `${app} is being restarted`,
  },
  stop: {
    title: (app: string) => `Stop ${app}?`,
    text: 'The application ends and stays stopped until you start it. Everything on the order’s disk stays. The order continues, and so do its charges: to stop paying, cancel the order.',
    do: 'Stop',
    done: (app: string) => `${app} is stopped`,
  },
  start: {
    title: (app: string) => `Start ${app}?`,
    text: 'The application starts with the data that the order kept on its disk.',
    do: 'Start',
    done: (app: string) => `${app} is being started`,
  },
  redeploy: {
    title: (app: string) => `Redeploy ${app} with its data?`,
    text: 'Its container is recreated from the same image and settings.',
    kept: (folders: string) => `Kept: ${folders}.`,
    keptNone: 'Nothing is kept: the application has no folder on the order’s disk.',
    lost: 'Lost: everything that was written elsewhere in the container.',
    do: 'Redeploy',
    done: (app: string) => `${app} is being redeployed`,
  },
  restartService: 'The service is stopped and started again; the others go on. What it keeps on the order’s disk stays.',
  keep: 'Leave it as it is',
  failed: 'This was not done',
}
