import { describeChaos } from "./chaos.contract.ts";

describeChaos(10);
