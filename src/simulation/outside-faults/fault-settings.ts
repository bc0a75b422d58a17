import { nearestName } from "../../api/nearest-name.ts";
import { probabilitiesOf, faultProfileNames } from "./fault-profiles.ts";

/** Which faults are injected, into whose requests. */
export interface FaultSettings {
  readonly seed: string;
  /** A profile, or single faults joined by `+`. */
  readonly profile: string;
  /** Only requests of this user; absent: of everyone. */
  readonly user?: string | undefined;
  /** Only requests whose User-Agent begins with this. */
  readonly agent?: string | undefined;
  /** A file with the identities of the only faults that are injected, a JSON array. */
  readonly only?: string | undefined;
  /** A file that gets every injected fault, a line of JSON each. */
  readonly record?: string | undefined;
}

export type ReadFaultSettings =
  | { readonly ok: true; readonly settings: FaultSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const defaultProfile = "gentle";
const keys = ["user", "agent", "only", "record"] as const;

/** What the texts look like that `readFaultSettings` reads. */
export const faultSettingsForm = "SEED[:PROFILE][,user=NAME][,agent=PREFIX]";

/** Reads `SEED[:PROFILE]` with `,KEY=VALUE` behind it; returns all problems, one sentence each. */
export function readFaultSettings(text: string): ReadFaultSettings {
  const [head = "", ...options] = text.split(",");
  const colon = head.indexOf(":");
  const seed = colon === -1 ? head : head.slice(0, colon);
  const profile = colon === -1 ? defaultProfile : head.slice(colon + 1);
  const read = options.map(readOption);
  const problems = [
    ...(seed === "" ? [`a seed is missing: ${faultSettingsForm}`] : []),
    ...profileProblems(profile),
    ...read.filter((option) => typeof option === "string"),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const given = Object.fromEntries(read.filter((option) => typeof option !== "string"));
  return { ok: true, settings: { seed, profile, ...given } };
}

/** Writes settings as the text that is read as these. */
export function faultSettingsText(settings: FaultSettings): string {
  const options = keys.flatMap((key) => (settings[key] === undefined ? [] : [`,${key}=${settings[key]}`]));
  return `${settings.seed}:${settings.profile}${options.join("")}`;
}

/** Returns what is wrong with the name of a profile. */
export function profileProblems(profile: string): readonly string[] {
  if (probabilitiesOf(profile) !== undefined) return [];
  const unknown = profile.split("+").find((name) => !faultProfileNames.includes(name));
  if (unknown === undefined)
    return [`${JSON.stringify(profile)} names a fault twice, or a profile beside a fault`];
  const meant = nearestName(unknown, faultProfileNames);
  const advice =
    meant === undefined ? `known are ${faultProfileNames.join(", ")}` : `did you mean "${meant}"?`;
  return [`unknown profile or fault ${JSON.stringify(unknown)}; ${advice}`];
}

type Option = readonly [key: (typeof keys)[number], value: string];

function readOption(text: string): Option | string {
  const [, name = "", value = ""] = /^([a-z]*)=(.*)$/s.exec(text) ?? [];
  const key = keys.find((known) => known === name);
  if (key === undefined || value === "")
    return `${JSON.stringify(text)} is none of ${keys.map((known) => `${known}=…`).join(", ")}`;
  return [key, value];
}
