/** One line of a metric: `suffix` follows the name, labels are in their order. */
export interface TextSample {
  readonly suffix?: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

export interface TextMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: Iterable<TextSample>;
}

/** What the pages of metrics are served as. */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in the text format of Prometheus, version 0.0.4. */
export function prometheusText(metrics: readonly TextMetric[]): string {
  return `${metrics.map(metricText).join("\n\n")}\n`;
}

function metricText({ name, help, type, samples }: TextMetric): string {
  const lines = [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`];
  for (const { suffix = "", labels, value } of samples)
    lines.push(`${name}${suffix}${labelsText(labels)} ${numberText(value)}`);
  return lines.join("\n");
}

function labelsText(labels: TextSample["labels"]): string {
  if (labels.length === 0) return "";
  return `{${labels.map(([name, value]) => `${name}="${escapedValue(value)}"`).join(",")}}`;
}

/** A number as the format spells it: `+Inf` has a sign. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "Nan";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

const escapedHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');
