/** Stands in for Node's function of the same name: signals of a browser have no limit of listeners. */
export function setMaxListeners(): void {}
