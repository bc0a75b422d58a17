// The network of cluster IPs: 240.96.0.0/16, in a range that is routed nowhere. No traffic goes through it.

const prefix = "240.96.";

/** The network in CIDR notation. */
export const serviceNetwork = `${prefix}0.0/16`;

/** How many cluster IPs there are, without the network and the broadcast address. */
export const addressCount = 65_534;

/** The cluster IP of the API server's own Service. */
export const firstAddress: string = addressAt(0);

/** Returns the address with a number from 0 to `addressCount - 1`. */
export function addressAt(number: number): string {
  return `${prefix}${(number + 1) >> 8}.${(number + 1) & 255}`;
}

/** Reports whether a text is a cluster IP of this network. */
export function isServiceAddress(text: string): boolean {
  const [, high = "", low = ""] = /^240\.96\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const number = Number(high) * 256 + Number(low) - 1;
  return high !== "" && Number(high) < 256 && Number(low) < 256 && number >= 0 && number < addressCount;
}
