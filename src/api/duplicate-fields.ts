import { formatFieldPath } from "./field-path.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openList = 0x5b;
const closeList = 0x5d;

/** Kubernetes stops listing here; nobody reads on. */
const most = 100;

/** An object or list that is still open: the names seen in it, or how many items came before. */
type Open =
  | { readonly seen: Set<string>; name: string; expectsName: boolean }
  | { readonly seen: undefined; item: number };

/** `duplicate field "spec.replicas"` for each name an object of a JSON text has twice; one pass over valid JSON. */
export function duplicateFields(text: string): readonly string[] {
  const open: Open[] = [];
  const found = new Set<string>();
  for (let at = 0; at < text.length && found.size < most; at++) {
    const top = open[open.length - 1];
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (top?.seen !== undefined && top.expectsName && isRepeated(top, text.slice(at, end + 1)))
          found.add(`duplicate field ${JSON.stringify(pathOf(open))}`);
        at = end;
        break;
      }
      case openObject:
        open.push({ seen: new Set(), name: "", expectsName: true });
        break;
      case openList:
        open.push({ seen: undefined, item: 0 });
        break;
      case closeObject:
      case closeList:
        open.pop();
        break;
      case comma:
        if (top?.seen === undefined) advance(top);
        else top.expectsName = true;
        break;
      default:
    }
  }
  return [...found];
}

function advance(list: { item: number } | undefined): void {
  if (list !== undefined) list.item += 1;
}

/** Enters a name, as the text spells it, into its object. */
function isRepeated(
  object: { seen: Set<string>; name: string; expectsName: boolean },
  spelled: string,
): boolean {
  object.name = spelled.includes("\\") ? String(JSON.parse(spelled)) : spelled.slice(1, -1);
  object.expectsName = false;
  const before = object.seen.size;
  object.seen.add(object.name);
  return object.seen.size === before;
}

function pathOf(open: readonly Open[]): string {
  return formatFieldPath(open.map((each) => (each.seen === undefined ? each.item : each.name)));
}

/** Where the string that opens at `start` closes; the end of the text when it does not. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at - 1;
    while (text.charCodeAt(escapes) === backslash) escapes -= 1;
    // An even run of backslashes escapes only itself.
    if ((at - escapes) % 2 === 1) return at;
  }
  return text.length;
}
