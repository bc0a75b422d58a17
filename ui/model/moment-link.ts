import { writeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { playOfSnapshot } from "../playground/opened-file.ts";
import { linkOf, longestLink } from "../playground/share-link.ts";
import { type Moment, momentSnapshot } from "./snapshot-text.ts";

/** A link that begins a play with a moment, or why there is none. */
export type MomentLink =
  | { readonly ok: true; readonly href: string }
  | { readonly ok: false; readonly why: string };

export interface MomentLinkOptions {
  /** The unpredictable text that other names are derived from. */
  readonly secret: string;
  /** The address of the playground. */
  readonly playground: string;
}

/** Makes a link to the playground, which begins with the moment under other names: the whole snapshot is in the link. */
export async function momentLink(
  moment: Moment,
  { secret, playground }: MomentLinkOptions,
): Promise<MomentLink> {
  if (!/^https?:\/\/./.test(playground) || !URL.canParse(playground))
    return { ok: false, why: "The address of the playground begins with http:// or https://." };
  if (moment.objects.nodes.length === 0)
    return { ok: false, why: "No nodes are seen, and a playground begins with nodes." };
  const text = JSON.stringify(JSON.parse(writeSnapshot(momentSnapshot(moment, secret), "json")));
  const hash = await linkOf({ ...playOfSnapshot(text), seed: 1 });
  if (hash.length - "#play=".length > longestLink || text.length > longestText)
    return {
      ok: false,
      why: `This moment is too large for a link (${hash.length} characters): save it, and drop the file on the playground.`,
    };
  const url = new URL(playground);
  url.hash = hash;
  return { ok: true, href: url.href };
}

/** Less than what a link may unpack to: the scenario beside it, and quotes that are escaped. */
const longestText = 2_000_000;
