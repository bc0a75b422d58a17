const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Moves the focus between the links of a map by the arrow keys: left and right to the neighbour, up and down to the nearest
 * link of the row above or below. The map is one stop of the Tab key, however many links it has.
 */
export function moveFocus(event: KeyboardEvent): void {
  const { currentTarget, target, key } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (!["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"].includes(key)) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>("a")];
  const step = target === currentTarget ? 1 : steps[key];
  const next =
    step === undefined ? nearest(links, target, key === "ArrowDown") : links[links.indexOf(target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function nearest(links: readonly HTMLElement[], from: HTMLElement, isDown: boolean): HTMLElement | undefined {
  const here = from.getBoundingClientRect();
  let best: { readonly link: HTMLElement; readonly distance: number } | undefined;
  for (const link of links) {
    const there = link.getBoundingClientRect();
    const down = isDown ? there.top - here.top : here.top - there.top;
    if (down < 4) continue;
    const distance = down * 4 + Math.abs(there.left - here.left);
    if (best === undefined || distance < best.distance) best = { link, distance };
  }
  return best?.link;
}
