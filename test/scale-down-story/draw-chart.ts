import { type Row, unbroken } from "./golden-table.ts";

const width = 720;
const height = 380;
const left = 60;
const right = 700;
const top = 60;
const bottom = 320;

const x = (ratio: number) => left + ratio * (right - left);
const y = (skew: number) => bottom - (skew / (unbroken + 0.5)) * (bottom - top);
const place = (at: number) => String(Math.round(at * 10) / 10);

interface Line {
  readonly label: string;
  readonly colour: string;
  readonly dashes: string;
  readonly value: (row: Row) => number | undefined;
}

const lines: readonly Line[] = [
  { label: "gate off", colour: "#b3261e", dashes: "", value: ({ off }) => off },
  { label: "gate on, all cases", colour: "#1a5fb4", dashes: "", value: ({ on }) => on },
  { label: "gate on, one bucket", colour: "#26803b", dashes: "6 4", value: ({ together }) => together },
  { label: "by spread", colour: "#8250a8", dashes: "2 4", value: ({ spread }) => spread },
];

/** The mean zone skew by the ratio of ages, as an SVG picture. */
export function drawChart(rows: readonly Row[]): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const steps = Array.from({ length: unbroken + 1 }, (_, skew) => skew);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>Zone skew after scaling down, by the ratio of the youngest to the oldest Pods' age</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(
      left,
      24,
      `Zone skew after scaling down from ${3 * unbroken} to ${2 * unbroken} Pods in three zones (mean)`,
      15,
    ),
    ...steps.map((skew) => rule(left, y(skew), right, y(skew)) + text(left - 22, y(skew) + 4, String(skew))),
    ...ticks.map((ratio) => text(x(ratio) - 8, bottom + 20, String(ratio))),
    text(left + 150, bottom + 42, "age of the youngest Pods / age of the oldest"),
    ...lines.map((line) => polyline(line, rows)),
    ...lines.map((line, index) => legend(line, index)),
    "</svg>",
  ].join("\n")}\n`;
}

function text(atX: number, atY: number, words: string, size = 13): string {
  return `<text x="${place(atX)}" y="${place(atY)}" font-size="${size}" fill="#222222">${words}</text>`;
}

function rule(fromX: number, fromY: number, toX: number, toY: number): string {
  return `<line x1="${place(fromX)}" y1="${place(fromY)}" x2="${place(toX)}" y2="${place(toY)}" stroke="#dddddd"/>`;
}

function polyline({ colour, dashes, value }: Line, rows: readonly Row[]): string {
  const points = rows.flatMap((row) => {
    const skew = value(row);
    return skew === undefined ? [] : [`${place(x(row.ratio))},${place(y(skew))}`];
  });
  const dots = points.map((point) => {
    const [cx, cy] = point.split(",");
    return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`;
  });
  const path = `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
  return [path, ...dots].join("\n");
}

function legend({ label, colour, dashes }: Line, index: number): string {
  const atX = left + 20 + index * 160;
  const atY = top - 16;
  const sample = `<line x1="${atX}" y1="${atY}" x2="${atX + 28}" y2="${atY}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
  return sample + text(atX + 36, atY + 4, label);
}
