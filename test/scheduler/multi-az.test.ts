import { describeMultiAz } from "./multi-az.contract.ts";

describeMultiAz(12);
describeMultiAz(150);
