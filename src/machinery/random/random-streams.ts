import type { Random } from "./random.ts";

/** The streams of one source by name: what one of them draws does not shift what the others draw next. */
export type RandomStreams = (name: string) => Random;

/** Forks a stream for each name that is asked for, once. */
export function randomStreams(random: Random): RandomStreams {
  const streams = new Map<string, Random>();
  return (name) => {
    let stream = streams.get(name);
    if (stream === undefined) {
      stream = random.fork(name);
      streams.set(name, stream);
    }
    return stream;
  };
}
