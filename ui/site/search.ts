import { findSections, type Found, type Section } from "./find-sections.ts";

declare global {
  // The script with the text of all pages sets it; oxlint-disable-next-line no-var
  var trimtabPages: readonly Section[] | undefined;
}

const excerptBefore = 40;
const excerptLength = 140;

/** The field that searches all pages, here in the browser: their text is loaded when the field is first used. */
export function addSearch(root: string): void {
  const place = document.querySelector("#search");
  if (place === null) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search ( / )";
  field.ariaLabel = "Search the documentation";
  const list = document.createElement("ol");
  list.hidden = true;
  place.replaceChildren(field, list);
  const show = () => {
    const found = findSections(globalThis.trimtabPages ?? [], field.value);
    const none = field.value.trim() !== "" && globalThis.trimtabPages !== undefined && found.length === 0;
    list.replaceChildren(...(none ? [nothing()] : found.map((each) => item(each, root))));
    list.hidden = field.value.trim() === "";
  };
  field.addEventListener("focus", () => loadPages(root, show), { once: true });
  field.addEventListener("input", show);
  place.addEventListener("keydown", (event) => {
    if (event instanceof KeyboardEvent) moveOn(event, { field, list });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !place.contains(event.target)) list.hidden = true;
  });
}

/** By a script, which also works where the pages are opened from a folder. */
function loadPages(root: string, loaded: () => void): void {
  const script = document.createElement("script");
  script.src = `${root}search.js`;
  script.addEventListener("load", loaded);
  document.head.append(script);
}

/** Up and Down go through what was found, Enter in the field opens the first, Escape closes. */
function moveOn(event: KeyboardEvent, { field, list }: { field: HTMLInputElement; list: HTMLElement }): void {
  const links = [...list.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  switch (event.key) {
    case "Enter":
      // A link that has the focus opens by itself.
      if (at < 0) links[0]?.click();
      return;
    case "Escape":
      list.hidden = true;
      field.focus();
      return;
    case "ArrowDown":
      links[Math.min(at + 1, links.length - 1)]?.focus();
      break;
    case "ArrowUp":
      (links[at - 1] ?? field).focus();
      break;
    default:
      return;
  }
  event.preventDefault();
}

function item({ section: [title, heading, address, text], at }: Found, root: string): HTMLElement {
  const link = document.createElement("a");
  link.href = `${root}${address}`;
  const name = document.createElement("strong");
  name.textContent = heading === "" ? title : `${title} › ${heading}`;
  const start = Math.max(0, at - excerptBefore);
  const excerpt = document.createElement("span");
  excerpt.textContent = `${start > 0 ? "…" : ""}${text.slice(start, start + excerptLength)}`;
  link.append(name, excerpt);
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}

function nothing(): HTMLElement {
  const entry = document.createElement("li");
  entry.textContent = "No page has that.";
  return entry;
}
