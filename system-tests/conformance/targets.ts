/**
 * The targets of `pnpm conformance --all`: the server, started with temporary data, and every interface of the mocks.
 */
import type { TargetFactory } from "../../packages/conformance/src/index.ts";
import { MOCK_TARGETS } from "../../packages/mocks/src/testing/targets.ts";
import { deployedTarget } from "./deployedTarget.ts";

export const TARGETS: readonly TargetFactory[] = [deployedTarget("server"), ...MOCK_TARGETS];
