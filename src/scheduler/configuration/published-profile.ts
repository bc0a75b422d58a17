import { isJsonObject } from "../../api/json.ts";
import { extensionPoints } from "./configuration-schema.ts";
import { pluginRegistry } from "./plugin-registry.ts";
import type { ProfileConfig } from "./scheduler-config.ts";

/** A profile as JSON, without the Maps that JSON cannot hold. */
export interface PublishedProfile extends Omit<ProfileConfig, "plugins"> {
  readonly plugins: {
    readonly at: ProfileConfig["plugins"]["at"];
    readonly weights: Readonly<Record<string, number>>;
  };
}

/**
 * What a scheduler tells other programs about one of its profiles. Arguments of out-of-tree plugins may be secrets, and
 * other programs do not have those plugins.
 */
export function publishedProfile({
  plugins: { at, weights },
  args,
  ...profile
}: ProfileConfig): PublishedProfile {
  const registry = pluginRegistry();
  const inTree = Object.entries(args).filter(([plugin]) => registry.find(plugin) !== undefined);
  return {
    ...profile,
    args: Object.fromEntries(inTree),
    plugins: { at, weights: Object.fromEntries(weights) },
  };
}

/** The profiles that a scheduler published; without those that another version of it wrote in another way. */
export function readPublishedProfiles(answer: unknown): readonly ProfileConfig[] {
  if (!Array.isArray(answer)) return [];
  return answer.filter(isPublishedProfile).map(({ plugins: { at, weights }, ...profile }) => ({
    ...profile,
    plugins: { at, weights: new Map(Object.entries(weights)) },
  }));
}

// The rest of a profile that has these was written by `publishedProfile`.
function isPublishedProfile(value: unknown): value is PublishedProfile {
  if (!isJsonObject(value) || !isJsonObject(value["plugins"]) || !isJsonObject(value["args"])) return false;
  const { at, weights } = value["plugins"];
  if (!isJsonObject(at) || !isJsonObject(weights)) return false;
  return (
    typeof value["schedulerName"] === "string" && extensionPoints.every((point) => Array.isArray(at[point]))
  );
}
