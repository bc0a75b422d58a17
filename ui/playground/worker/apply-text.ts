import { messageOf } from "../../../src/api/message-of.ts";
import { customResourceDefinitions } from "../../../src/api/resources.ts";
import { ApiError, apiFailure } from "../../../src/machinery/client/api-error.ts";
import { performAction } from "../../../src/user-actions/perform-action.ts";
import type { Applied, ManifestWords } from "../messages.ts";
import { type CheckedText, checkManifests, type WrittenManifest } from "./check-manifests.ts";
import { fieldErrorsOf, isServed, writeCustomObject } from "./custom-objects.ts";
import { manifestWords } from "./manifest-words.ts";
import type { PlaySession } from "./play-session.ts";

type Custom = Extract<WrittenManifest, { readonly of: "custom" }>;

/** Says what is wrong with a text of manifests; objects of custom kinds are judged by the API server, without writing them. */
export async function checkText(
  text: string,
  session: PlaySession,
  signal: AbortSignal,
): Promise<CheckedText> {
  const definitions = await definitionsIn(session, signal);
  const checked = checkManifests(text, { gates: session.started.run.gates, definitions });
  const problems = [...checked.problems];
  for (const manifest of checked.manifests)
    if (manifest.of === "custom" && (await isServed(session, manifest.resource)))
      problems.push(...(await problemsOf(manifest, { session, signal })));
  return { ...checked, problems };
}

/** The custom kinds of a cluster. */
async function definitionsIn({ started }: PlaySession, signal: AbortSignal) {
  const { items } = await started.cluster.client.list(customResourceDefinitions, {}, signal);
  return items;
}

/** What may stand at a place of a text of manifests. */
export async function wordsOfText(
  { text, at }: { readonly text: string; readonly at: number },
  session: PlaySession,
  signal: AbortSignal,
): Promise<ManifestWords> {
  return manifestWords(text, at, await definitionsIn(session, signal));
}

interface Place {
  readonly session: PlaySession;
  readonly signal: AbortSignal;
}

async function problemsOf(manifest: Custom, { session, signal }: Place): Promise<readonly string[]> {
  try {
    await writeCustomObject(session, manifest, { isDry: true, signal });
    return [];
  } catch (error) {
    return problemsIn(manifest, error);
  }
}

/** What the API server refused, at its places; in one sentence where it names none. */
function problemsIn({ format }: Custom, error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) throw error;
  const errors = fieldErrorsOf(error);
  return errors.length > 0 ? format(errors) : [messageOf(error)];
}

/** Applies manifests, none where one of them has a mistake that its schema shows. */
export async function applyText(text: string, session: PlaySession, signal: AbortSignal): Promise<Applied> {
  const { problems, manifests: all } = await checkText(text, session, signal);
  // What is defined in the text may come behind what needs it.
  const manifests = all.toSorted((a, b) => Number(a.of === "custom") - Number(b.of === "custom"));
  if (problems.length > 0) return { done: [], problems };
  const done: string[] = [];
  for (const manifest of manifests) {
    try {
      done.push(...(await applyOne(manifest, { session, signal })));
    } catch (error) {
      if (manifest.of === "custom") return { done, problems: problemsIn(manifest, error) };
      if (!(error instanceof ApiError)) throw error;
      return { done, problems: [messageOf(error)] };
    }
  }
  const written = manifests.flatMap((each) => (each.of === "kubernetes" ? [each.content] : []));
  if (written.length > 0) session.record({ apply: written });
  return { done, problems: [] };
}

async function applyOne(manifest: WrittenManifest, place: Place): Promise<readonly string[]> {
  if (manifest.of === "custom") return applyCustom(manifest, place);
  const { client } = place.session.started.cluster;
  const action = { action: "apply", manifest: manifest.object } as const;
  const { done } = await performAction(action, { client, clock: place.session.clock, signal: place.signal });
  return done;
}

async function applyCustom(manifest: Custom, { session, signal }: Place): Promise<readonly string[]> {
  const { resource, content } = manifest;
  await untilServed(manifest, session);
  const done = await writeCustomObject(session, manifest, { isDry: false, signal });
  session.miss("objects of custom kinds");
  const { name = "" } = content["metadata"] as { readonly name?: string };
  return [`${resource.kind.toLowerCase()}.${resource.group}/${name} ${done}`];
}

/** How long a definition that was just applied may take to be established, and how often to look. */
const [establishingMs, lookMs] = [2000, 10];

async function untilServed({ resource: { kind }, resource }: Custom, session: PlaySession): Promise<void> {
  for (let waitedMs = 0; !(await isServed(session, resource)); waitedMs += lookMs) {
    if (waitedMs >= establishingMs)
      throw apiFailure(
        404,
        "NotFound",
        `${kind} is not served: kubectl describe crd ${resource.plural}.${resource.group} says why`,
      );
    await session.wall.sleep(lookMs);
  }
}
