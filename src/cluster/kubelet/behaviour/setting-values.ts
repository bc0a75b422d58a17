import { parseDuration } from "../../../api/duration.ts";

/** A number in [0, 1) of a setting's own random stream. */
export type Draw = () => number;

/** Reads the text of a setting; a sentence says what is wrong with it. */
export type ValueReader<T> = (
  text: string,
  draw: Draw,
) => { readonly value: T } | { readonly problem: string };

const durationForms =
  "must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)";
const call = /^(normal|exp)\(([^,()]+)(?:,([^,()]+))?\)$/;

/** A duration in milliseconds: fixed, from a range, or from a distribution. */
export const duration: ValueReader<number> = (text, draw) => {
  const value = fixedDuration(text) ?? durationInRange(text, draw) ?? distributedDuration(text, draw);
  return value === undefined ? { problem: durationForms } : { value };
};

/** A flap faster than this would keep the cluster busy with nothing else. */
const minFlapMs = 100;

/** How long something lasts that comes and goes by turns. */
export const flapPeriod: ValueReader<number> = (text, draw) => {
  const read = duration(text, draw);
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

/** A number of the standard normal distribution (Box and Muller). */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

export const flag: ValueReader<boolean> = (text) =>
  text === "true" || text === "false" ? { value: text === "true" } : { problem: "must be true or false" };

/** An exit code, or one of a range. */
export const exitCode: ValueReader<number> = (text, draw) => {
  const [, first, last] = /^([0-9]{1,3})(?:\.\.([0-9]{1,3}))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(last ?? first)];
  if (first === undefined || high > 255 || high < low)
    return { problem: "must be an exit code from 0 to 255, or a range such as 0..1" };
  return { value: low + Math.floor(draw() * (high - low + 1)) };
};

/** A share from 0 to 1, also written as a percentage. */
export const share: ValueReader<number> = (text) => {
  const [, digits, percent] = /^([0-9]*\.?[0-9]+)(%?)$/.exec(text) ?? [];
  const value = Number(digits) / (percent === "%" ? 100 : 1);
  return value >= 0 && value <= 1 ? { value } : { problem: "must be a share from 0 to 1, or a percentage" };
};

/** How many times as long something takes. */
export const factor: ValueReader<number> = (text) => {
  const value = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 && value <= 1000 ? { value } : { problem: "must be a factor above 0, up to 1000" };
};
