import { allowedPickers, localPickers, type PickerAccess } from "../../cluster/network-pickers.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { type AllowList, isAddressAllowed, parseAllowList } from "../../picker/addresses/address-policy.ts";
import { CallLimiter } from "../../picker/call/call-limiter.ts";
import { callPicker } from "../../picker/call/call-picker.ts";
import { dataOf, readSecrets } from "../../picker/credentials/read-secrets.ts";
import { secretsOfHeaders } from "../../picker/credentials/read-headers.ts";
import { secretsOfTrust } from "../../picker/credentials/read-trust.ts";
import { type PickerSettings, readPicker } from "../../picker/picker-settings.ts";
import type { PickerWorkload } from "../../picker/picker-workload.ts";
import { bad, type Finding, good, open } from "./finding.ts";
import { argumentValues } from "./steer-facts.ts";
import { readGates } from "./steer-gates.ts";

export interface PickerSurroundings {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly workload: PickerWorkload;
  readonly isEmbedded: boolean;
  /** Where pickers may be asked from here. */
  readonly access: PickerAccess;
  /** The arguments of the program that asks pickers in the cluster, if they are known. */
  readonly programArguments?: readonly string[] | undefined;
}

/** Whether the picker of a workload can be read, called and asked, and whether it answers. */
export async function examinePicker(
  picker: unknown,
  surroundings: PickerSurroundings,
): Promise<readonly Finding[]> {
  if (picker === undefined) return [];
  const read = readPicker(picker);
  if (!read.ok) return [bad("picker", `it cannot be asked: ${read.problem}`)];
  const { settings } = read;
  const at = `${settings.protocol} ${settings.host}:${settings.port}`;
  return [
    good("picker", at),
    ...judgeAllowed(settings, surroundings),
    ...(await examineSecrets(settings, surroundings)),
    await askIt(settings, surroundings),
  ];
}

/** What the program in the cluster allows; only addresses that its list names as they are can be judged from here. */
function judgeAllowed(
  { host }: PickerSettings,
  { programArguments: words, isEmbedded }: PickerSurroundings,
): readonly Finding[] {
  if (words === undefined || isEmbedded) return [];
  const title = "picker allowed";
  const mend = `helm upgrade trimtab deploy/helm/trimtab --namespace trimtab --reuse-values --set picker.allow={${host}}`;
  if (readGates(words)["DownscalePodPicker"] !== true)
    return [
      bad(title, "pod pickers are switched off in trimtab steer (feature gate DownscalePodPicker)", mend),
    ];
  const list = parseAllowList(argumentValues(words, "picker-allow"));
  if (!list.ok) return [open(title, `the list of trimtab steer cannot be read: ${list.problems.join("; ")}`)];
  if (names(list.allowed, host)) return [good(title, `trimtab steer allows ${host}`)];
  return list.allowed.networks.length > 0
    ? [open(title, `trimtab steer allows networks, and ${host} may be in one of them`)]
    : [bad(title, `trimtab steer does not allow ${host}: --picker-allow does not name it`, mend)];
}

function names(allowed: AllowList, host: string): boolean {
  return allowed.hosts.has(host.toLowerCase()) || isAddressAllowed(host, host, { loopback: false, allowed });
}

async function examineSecrets(
  settings: PickerSettings,
  { client, signal, workload: { namespace } }: PickerSurroundings,
): Promise<readonly Finding[]> {
  const title = "picker Secrets";
  const needed = [...new Set([...secretsOfHeaders(settings.headers), ...secretsOfTrust(settings.trust)])];
  if (needed.length === 0) return [];
  const found = await readSecrets(needed, { client, namespace, signal });
  const findings = needed.flatMap((name): readonly Finding[] => {
    const read = found.get(name);
    if (read?.kind === "failed")
      return [open(title, `Secret ${name} cannot be read from here: ${read.class}`)];
    const secret = read?.secret;
    const missing = keysOf(settings, name).filter((key) => dataOf(secret, key) === undefined);
    if (missing.length === 0 && secret !== undefined) return [];
    const literals = missing.map((key) => `--from-literal=${key}=VALUE`).join(" ");
    const says = secret === undefined ? "is not there" : `has no key ${missing.join(", ")}`;
    return [
      bad(
        title,
        `Secret ${name} ${says}`,
        `kubectl -n ${namespace} create secret generic ${name} ${literals}`.trim(),
      ),
    ];
  });
  return findings.length > 0 ? findings : [good(title, `${needed.join(", ")}: all keys are there`)];
}

/** The keys of a Secret that a picker cannot do without. */
function keysOf({ headers, trust }: PickerSettings, secret: string): readonly string[] {
  const inHeaders = headers.flatMap(({ valueFrom }) => {
    const reference = valueFrom?.secretKeyRef;
    return reference?.name === secret && reference.optional !== true ? [reference.key] : [];
  });
  return [...new Set([...inHeaders, ...(trust?.ca?.name === secret ? [trust.ca.key] : [])])];
}

/** Pods that no picker knows: the contract says that they are answered like others, and no work depends on them. */
const candidates = ["trimtab-doctor-x7v2p", "trimtab-doctor-q9k4z"];

async function askIt(
  settings: PickerSettings,
  { client, clock, signal, workload, isEmbedded, access }: PickerSurroundings,
): Promise<Finding> {
  const title = "picker answers";
  const connect = isEmbedded ? localPickers : allowedPickers;
  const outcome = await callPicker(
    { settings, question: { requested: 1, candidates }, workload, leftMs: settings.timeoutMs },
    {
      client,
      clock,
      random: systemRandom(),
      limiter: new CallLimiter(),
      ...connect(access)({ client, clock }),
    },
    signal,
  );
  if (outcome.kind === "answered") return good(title, "to a question about two Pods that do not exist");
  const { class: failure, code, problem } = outcome.failure;
  const more = [code, problem].filter((each) => each !== undefined).join(", ");
  const says = `${failure}${more === "" ? "" : ` (${more})`}`;
  if (!isEmbedded && isFromHere(failure))
    return open(
      title,
      `it could not be asked from here: ${says}`,
      `trimtab doctor ${workload.kind.toLowerCase()}/${workload.name} -n ${workload.namespace} --picker-allow=${settings.host}`,
    );
  return bad(title, `it gave no answer: ${says}; the order is the one without a picker`);
}

/** Failures that may have to do with where the question was asked from. */
function isFromHere(failure: string): boolean {
  return ["AddressNotAllowed", "HostUnresolved", "PortUnresolved", "SecretForbidden"].includes(failure);
}
