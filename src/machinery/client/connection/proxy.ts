import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for a server: `HTTPS_PROXY` or, for a server without TLS, `HTTP_PROXY`, unless
 * `NO_PROXY` excepts the host; all also in lower case. As for kubectl, this machine is never reached through a proxy.
 */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, hostname, port } = new URL(server);
  const either = (name: string) => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = either(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const target = { host, port: port || (protocol === "https:" ? "443" : "80") };
  if (isThisMachine(host) || isExcepted(target, either("NO_PROXY") ?? "")) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** Why a proxy cannot be used, to be shown after its name; `undefined` if it can. */
export function proxyProblem(proxy: string): string | undefined {
  if (!URL.canParse(proxy)) return "is not a URL";
  const { protocol } = new URL(proxy);
  if (protocol === "http:" || protocol === "https:") return undefined;
  return protocol === "socks5:"
    ? "is a SOCKS proxy, which is not supported"
    : "is not an http or https address";
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

interface Target {
  readonly host: string;
  readonly port: string;
}

function isExcepted(target: Target, list: string): boolean {
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== "" && excepts(entry, target));
}

/** One entry of NO_PROXY: `*`, a network, an address or a domain; the last two may end with a port. */
function excepts(entry: string, target: Target): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInNetwork(target.host, entry);
  const { host, port } = splitPort(entry);
  if (port !== undefined && port !== target.port) return false;
  if (isIP(host) !== 0) return host === target.host;
  // A dot in front leaves the domain itself out.
  const domain = host.replace(/^\*?\./, "");
  return target.host.endsWith(`.${domain}`) || (target.host === domain && domain === host);
}

function splitPort(entry: string): { readonly host: string; readonly port?: string | undefined } {
  if (isIP(entry) === 6) return { host: entry };
  const [, bracketed, plain = "", port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { host: bracketed ?? plain, port };
}

function isInNetwork(host: string, network: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const family = isIP(base);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), type);
  return list.check(host, type);
}
