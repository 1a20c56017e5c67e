// The functions of foreguard.threads.wasm: interval iteration of one component by several threads.
export { sweepBackward, sweepForward, sweepRun } from "../solve/rowBlocks";
export { exchange, leave, openMembers, serve, sweeps, widestGap } from "./commands";
export { boundsOffset, heapBase, layOutTeam, memberBounds, memberFirst, memberStates, teamBytes } from "./team";
