import { newSecret } from "../../src/machinery/random/system-random.ts";

/** A text that nobody can foresee, for names that stand for others. */
export const browserSecret = (): string => newSecret();
