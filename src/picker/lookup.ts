import { isIP } from "node:net";

/** All addresses of a host, as DNS has them. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** The addresses of what may be one already, by the measure of sockets: 010.0.0.1 is none to them but a name. */
export async function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  return isIP(host) === 0 ? lookup(host) : [host];
}
