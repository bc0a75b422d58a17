import { isIP } from "node:net";
import { knownApiServerFlags } from "./api-server-flag-table.ts";

/** What Go reads as a boolean. */
const booleans = /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/;

/** Says, in the words of kube-apiserver, why it cannot parse the value of a flag; nothing if it can. */
export function parseProblem(name: string, value: string): string | undefined {
  const quoted = JSON.stringify(value);
  const invalid = (parser: string) => `strconv.${parser}: parsing ${quoted}: invalid syntax`;
  if (name === "bind-address") return isIP(value) === 0 ? `failed to parse IP: ${quoted}` : undefined;
  if (name === "secure-port") return /^[+-]?\d+$/.test(value) ? undefined : invalid("ParseInt");
  if (!knownApiServerFlags.switches.has(name) || booleans.test(value)) return undefined;
  return invalid("ParseBool");
}
