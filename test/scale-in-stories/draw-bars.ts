/** One measure of a story, by mode: what the bars of a picture are as long as. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

const width = 720;
const left = 170;
const right = 640;
const colours = ["#b3261e", "#b06c00", "#1a5fb4", "#26803b"];

/** Medians as horizontal bars, one group a measure, each on its own scale, as an SVG picture. */
export function drawBars(title: string, groups: readonly BarGroup[]): string {
  const rows = groups.map(({ bars }) => bars.length);
  const topOf = (group: number) => 60 + rows.slice(0, group).reduce((sum, count) => sum + count * 24 + 40, 0);
  const height = topOf(groups.length) + 10;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(20, 26, title, 15),
    ...groups.flatMap((group, index) => drawGroup(group, topOf(index))),
    "</svg>",
  ].join("\n")}\n`;
}

function drawGroup({ title, bars }: BarGroup, top: number): readonly string[] {
  const longest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return [
    text(20, top, title, 14),
    ...bars.flatMap(({ label, value }, index) => {
      const y = top + 10 + index * 24;
      const length = Math.round(((right - left) * value) / longest);
      return [
        text(20, y + 14, label),
        `<rect x="${left}" y="${y}" width="${Math.max(length, 1)}" height="18" fill="${colours[index % colours.length]}"/>`,
        text(left + length + 8, y + 14, shown(value)),
      ];
    }),
  ];
}

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));

function text(x: number, y: number, words: string, size = 13): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="#222222">${words}</text>`;
}
