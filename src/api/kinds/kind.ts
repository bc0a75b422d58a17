import type { NameCheck } from "../names.ts";
import type { KindStrategy } from "./kind-strategy.ts";

/** What a kind says of itself: its manners over its own type, and what its names look like. */
export interface Kind<T> extends KindStrategy<T> {
  /** DNS subdomains unless said otherwise. */
  readonly names?: NameCheck;
}
