import { trimRight } from "../../src/api/trim-right.ts";
import type { Play } from "./messages.ts";

/** What is behind `#play=`, before it is packed. */
type Shared = Pick<Play, "scenario" | "seed" | "files">;

export type ReadLink =
  | { readonly kind: "none" }
  | { readonly kind: "story"; readonly name: string; readonly seed: number }
  | { readonly kind: "play"; readonly play: Shared }
  | { readonly kind: "unreadable"; readonly why: string };

/** The longest text of a link, and of what is in it: a link from a stranger may be made to fill the memory. */
export const longestLink = 200_000;
const longestShared = 2_500_000;

/** Puts a scenario, its seed and its files into the part of an address that is sent to no server. */
export async function linkOf({ scenario, seed, files }: Shared): Promise<string> {
  const packed = new Blob([JSON.stringify({ scenario, seed, files })])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#play=${trimRight(text.replaceAll("+", "-").replaceAll("/", "_"), "=")}`;
}

/** Whether the part of an address behind `#` says what to play, and not which view to show. */
export const isLink = (hash: string): boolean => /^#(?:story|play)=/.test(hash);

/** Reads what a link begins with; never throws, however it was cut or changed. */
export async function readLink(hash: string): Promise<ReadLink> {
  const story = /^#story=([\w-]{1,60})(?:&seed=(\d{1,9}))?$/.exec(hash);
  if (story !== null) return { kind: "story", name: story[1] ?? "", seed: Number(story[2] ?? 1) };
  if (!isLink(hash)) return { kind: "none" };
  if (hash.startsWith("#story=")) return unreadable("it names no story");
  const packed = hash.slice("#play=".length);
  if (packed.length > longestLink) return unreadable(`it has more than ${longestLink} characters`);
  if (!/^[\w-]*$/.test(packed)) return unreadable("it has characters that no link of this page has");
  const text = await unpacked(packed);
  if (text === undefined) return unreadable("it was cut or changed on its way");
  return playIn(text);
}

const unreadable = (why: string) => ({ kind: "unreadable", why }) as const;

async function unpacked(packed: string): Promise<string | undefined> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const reader = stream.getReader();
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      if (text.length > longestShared) return undefined;
    }
    return text + decoder.decode();
  } catch {
    return undefined; // how `atob`, streams and decoders refuse what is none of ours
  }
}

function playIn(text: string): ReadLink {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("what is in it is not JSON"); // a SyntaxError, the only one there is
  }
  const { scenario, seed, files } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Partial<Shared>;
  if (typeof scenario !== "string") return unreadable("there is no scenario in it");
  if (typeof seed !== "number" || !Number.isSafeInteger(seed) || seed < 0)
    return unreadable("its seed is not a whole number");
  if (files === undefined) return { kind: "play", play: { scenario, seed } };
  if (!areFiles(files)) return unreadable("its files are not texts");
  return { kind: "play", play: { scenario, seed, files } };
}

function areFiles(files: unknown): files is NonNullable<Shared["files"]> {
  if (typeof files !== "object" || files === null || Array.isArray(files)) return false;
  return Object.values(files).every((text) => typeof text === "string");
}
