import { newSecret } from "../../src/machinery/random/system-random.ts";

/** An unpredictable text, from which the names that replace others are derived. */
export const browserSecret = (): string => newSecret();
