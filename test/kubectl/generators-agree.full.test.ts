import { describeGenerating, essentialGenerators, otherGenerators } from "./generators-agree.contract.ts";
import { findKubectls } from "./kubectls.ts";

describeGenerating([...essentialGenerators, ...otherGenerators], findKubectls());
