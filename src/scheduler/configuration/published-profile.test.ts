import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { publishedProfile, readPublishedProfiles } from "./published-profile.ts";
import { defaultSchedulerConfig } from "./scheduler-config.ts";

const { profiles } = defaultSchedulerConfig(defaultFeatureGates);
const [profile] = profiles;
if (profile === undefined) throw new Error("the default configuration has a profile");
const published = publishedProfile(profile);
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("a profile is read as it was before it was published", () => {
  expect(readPublishedProfiles(throughJson([published]))).toEqual([profile]);
});

test("the arguments of an out-of-tree plugin are not published, its name is", () => {
  const own = {
    ...profile,
    plugins: { ...profile.plugins, at: { ...profile.plugins.at, score: ["Ours"] } },
    args: { ...profile.args, Ours: { token: "secret" } },
  };
  const read = readPublishedProfiles(throughJson([publishedProfile(own)]));
  expect(read).toEqual([{ ...own, args: profile.args }]);
});

test.for([
  { name: "nothing", answer: undefined },
  { name: "a text", answer: "default-scheduler" },
  { name: "no arguments", answer: [{ ...published, args: undefined }] },
  { name: "fewer extension points", answer: [{ ...published, plugins: { at: {}, weights: {} } }] },
])("a scheduler of another version that publishes $name has no profiles that are known", ({ answer }) => {
  expect(readPublishedProfiles(answer)).toEqual([]);
});
