import { describeMultiAz } from "./multi-az.contract.ts";

// The proposal says of its own test that it "is currently broken in 5k nodes".
describeMultiAz(5000);
