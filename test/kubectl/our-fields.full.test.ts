import { findKubectls } from "./kubectls.ts";
import { describeOurFields } from "./our-fields.contract.ts";

describeOurFields(findKubectls());
