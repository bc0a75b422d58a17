import { isJsonObject } from "../../api/json.ts";
import type { ProfileConfig } from "./scheduler-config.ts";

/** A profile as JSON: a Map would be lost in it. */
export interface PublishedProfile extends Omit<ProfileConfig, "plugins"> {
  readonly plugins: {
    readonly at: ProfileConfig["plugins"]["at"];
    readonly weights: Readonly<Record<string, number>>;
  };
}

/** What a scheduler tells other programs about one of its profiles. */
export function publishedProfile({ plugins: { at, weights }, ...profile }: ProfileConfig): PublishedProfile {
  return { ...profile, plugins: { at, weights: Object.fromEntries(weights) } };
}

/** The profiles that a scheduler of the same program published; none where it published something else. */
export function readPublishedProfiles(answer: unknown): readonly ProfileConfig[] {
  if (!Array.isArray(answer)) return [];
  return answer.filter(isPublishedProfile).map(({ plugins: { at, weights }, ...profile }) => ({
    ...profile,
    plugins: { at, weights: new Map(Object.entries(weights)) },
  }));
}

// The rest of a profile that has these was written by `publishedProfile`.
function isPublishedProfile(value: unknown): value is PublishedProfile {
  if (!isJsonObject(value) || !isJsonObject(value["plugins"])) return false;
  const { at, weights } = value["plugins"];
  return typeof value["schedulerName"] === "string" && isJsonObject(at) && isJsonObject(weights);
}
