/**
 * A colour of theme.css as a canvas takes it: the custom property itself reads `light-dark(…)`, which only the style of an
 * element settles.
 */
export function themeColour(place: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
