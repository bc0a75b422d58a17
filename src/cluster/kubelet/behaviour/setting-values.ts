import { parseDuration } from "../../../api/duration.ts";

/** Draws a number in [0, 1) from a setting's own random stream. */
export type Draw = () => number;

/** Reads the text of a setting, or returns a sentence that says what is wrong with it. */
export type ValueReader<T> = (
  text: string,
  draw: Draw,
) => { readonly value: T } | { readonly problem: string };

const durationForms =
  "must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)";
const call = /^(normal|exp)\(([^,()]+)(?:,([^,()]+))?\)$/;

/** A duration in milliseconds: fixed, from a range, or from a distribution. */
export const durationSetting: ValueReader<number> = (text, draw) => {
  const value = fixedDuration(text) ?? durationInRange(text, draw) ?? distributedDuration(text, draw);
  return value === undefined ? { problem: durationForms } : { value };
};

/** The shortest flap: a faster one would keep the cluster busy with nothing else. */
const minFlapMs = 100;

/** Reads the length of each phase of something that alternates. */
export const flapPeriod: ValueReader<number> = (text, draw) => {
  const read = durationSetting(text, draw);
  if ("problem" in read || read.value < minFlapMs)
    return { problem: `must be a duration of at least ${minFlapMs}ms` };
  return read;
};

function fixedDuration(text: string): number | undefined {
  const milliseconds = parseDuration(text.trim());
  return milliseconds === undefined || milliseconds < 0 ? undefined : milliseconds;
}

function durationInRange(text: string, draw: Draw): number | undefined {
  const [from, to, ...rest] = text.split("..");
  const [low, high] = [fixedDuration(from ?? ""), fixedDuration(to ?? "")];
  if (low === undefined || high === undefined || high < low || rest.length > 0) return undefined;
  return Math.round(low + draw() * (high - low));
}

function distributedDuration(text: string, draw: Draw): number | undefined {
  const [, name, first, second] = call.exec(text.trim()) ?? [];
  const mean = fixedDuration(first ?? "");
  if (mean === undefined) return undefined;
  if (name === "exp") return second === undefined ? Math.round(-mean * Math.log(1 - draw())) : undefined;
  const deviation = fixedDuration(second ?? "");
  return deviation === undefined ? undefined : Math.max(0, Math.round(mean + deviation * normal(draw)));
}

/** Draws from the standard normal distribution (Box and Muller). */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

export const flagSetting: ValueReader<boolean> = (text) =>
  text === "true" || text === "false" ? { value: text === "true" } : { problem: "must be true or false" };

/** Reads an exit code, or draws one from a range. */
export const exitCode: ValueReader<number> = (text, draw) => {
  const [, first, last] = /^([0-9]{1,3})(?:\.\.([0-9]{1,3}))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(last ?? first)];
  if (first === undefined || high > 255 || high < low)
    return { problem: "must be an exit code from 0 to 255, or a range such as 0..1" };
  return { value: low + Math.floor(draw() * (high - low + 1)) };
};

/** A share from 0 to 1, also written as a percentage. */
export const shareSetting: ValueReader<number> = (text) => {
  const [, digits, percent] = /^([0-9]+|[0-9]*\.[0-9]+)(%?)$/.exec(text) ?? [];
  const value = Number(digits) / (percent === "%" ? 100 : 1);
  return value >= 0 && value <= 1 ? { value } : { problem: "must be a share from 0 to 1, or a percentage" };
};

/** Reads the factor by which something takes longer. */
export const factor: ValueReader<number> = (text) => {
  const value = /^(?:[0-9]+|[0-9]*\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 && value <= 1000 ? { value } : { problem: "must be a factor above 0, up to 1000" };
};
