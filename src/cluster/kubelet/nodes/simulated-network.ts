// No simulated address may lead off this machine: a tool that dials one would send its credentials to the host that has
// the address on the user's network. Nodes are on loopback. Pods and Services are in 240.0.0.0/4, which is reserved and
// routed nowhere, since EndpointSlices refuse loopback.

/** Returns the address of the n-th node; 127.0.x.x is left to other programs on this machine. */
export function nodeAddress(index: number): string {
  const host = index + 1;
  return `127.${1 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
}

/** Returns the Pod network of the n-th node; there are networks for 16,384 nodes. */
export function podNetwork(index: number): string {
  return `240.${128 + (index >> 8)}.${index & 255}.0/24`;
}

/** The Pod network of nodes that have none, or one that is routed. */
const sharedNetwork = "240.255.255.0/24";

/** Returns the n-th address of a node's Pod network; addresses are reused when the network is exhausted. */
export function podAddress(network: string | undefined, count: number): string {
  const [first = "", second = "", third = ""] = unroutedNetwork(network).split(".");
  return `${first}.${second}.${third}.${(count % 253) + 2}`;
}

function unroutedNetwork(network = sharedNetwork): string {
  return /^(24\d|25[0-5])\.\d+\.\d+\.\d+\//.test(network) ? network : sharedNetwork;
}
