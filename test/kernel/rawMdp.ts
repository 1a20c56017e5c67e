import { expect } from 'vitest';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { randomGroups, spoiltGroups } from './fuzzMdp.js';
import { pick, randomRows, spoilt } from './garbage.js';
import { copyNearly } from './rawChain.js';
import type { RawModule } from './rawModule.js';

/** Loads random rows that are nearly an MDP, and calls everything that takes an MDP if they are one. */
export function callRawMdp(module: RawModule): void {
  const { exports, random } = module;
  const states = 1 + module.below(pick(random, [2, 20, 60]));
  const groups = randomGroups(random, states);
  const rows = groups[states];
  const matrix = randomRows(random, rows, states);
  const transitions = matrix.columns.length;
  const block = module.block(exports.mdpBytes(states, rows, transitions));
  const mdp = exports.layOutMdp(block, states, rows, transitions);
  const places = [exports.mdpRowStartOf(mdp), exports.mdpColumnsOf(mdp), exports.mdpValuesOf(mdp)];
  copyNearly(module, places, matrix, pick(random, [matrix, spoilt(random, matrix)]));
  const given = pick(random, [groups, spoiltGroups(random, groups)]);
  module.write(exports.mdpGroupStartOf(mdp), given.subarray(0, states + 1));
  const status = exports.checkMdp(mdp);
  expect(status).toBeLessThan(64);
  if (status !== 0) {
    expect(exports.mdpFaultyStateOf(mdp)).toBeLessThan(states);
    expect(exports.mdpFaultyRowOf(mdp)).toBeLessThanOrEqual(rows);
    return;
  }
  exports.prepareMdp(mdp);
  search(module, mdp, states, rows, transitions);
  exports.optimalStep(
    mdp,
    module.set(states),
    module.coin() ? module.bounds(rows) : 0,
    module.double(),
    module.bounds(states),
    module.bounds(states),
    module.coin(),
  );
  for (const rewarded of [false, true]) optimiseQuotient(module, mdp, states, rows, rewarded);
}

function search(module: RawModule, mdp: Pointer, states: number, rows: number, transitions: number): void {
  const { exports } = module;
  const set = () => module.set(states);
  const rowSet = () => module.set(rows);
  const words = () => module.words(states);
  exports.attract(mdp, set(), set(), rowSet(), set(), words(), words());
  exports.attractAlways(mdp, set(), set(), set(), words(), rowSet(), words());
  exports.rowsInside(mdp, set(), rowSet());
  const sureBytes = exports.almostSureScratchBytes(states, rows);
  exports.almostSure(mdp, set(), set(), rowSet(), set(), words(), module.block(sureBytes));
  const graphBlock = module.block(exports.subgraphBytes(states, transitions));
  const graph = exports.subgraph(mdp, set(), rowSet(), graphBlock);
  exports.reachableFrom(graph, set(), set(), words());
  const endBytes = exports.endComponentsScratchBytes(states, rows, transitions);
  const found = exports.endComponents(mdp, set(), rowSet(), words(), rowSet(), module.block(endBytes));
  expect(found).toBeLessThanOrEqual(states);
}

/** Random states lumped at random, whatever rows may be chosen, with random rewards, guesses, and bounds. */
function optimiseQuotient(
  module: RawModule,
  mdp: Pointer,
  states: number,
  rows: number,
  rewarded: boolean,
): void {
  const { exports, random } = module;
  const members = Uint32Array.from([...Array(states).keys()].filter(() => random() < 0.8)).reverse();
  const memberStart = [0];
  for (let i = 1; i <= members.length; i++) if (i === members.length || random() < 0.7) memberStart.push(i);
  const blocks = memberStart.length - 1;
  const planBlock = module.block(exports.planBytes(mdp, blocks, members.length, rewarded));
  const plan = exports.layOutPlan(planBlock, mdp, blocks, members.length, rewarded);
  module.write(exports.planMemberStartOf(plan), Uint32Array.from(memberStart));
  module.write(exports.planMembersOf(plan), members);
  module.noise(exports.planRowsOf(plan), 4 * ((rows + 31) >>> 5));
  module.noise(exports.planOneOf(plan), 4 * ((states + 31) >>> 5));
  if (rewarded) module.noise(exports.planRewardsOf(plan), 16 * rows);
  const quotientBlock = module.block(exports.measureQuotient(plan));
  const quotient = exports.buildQuotient(plan, module.coin(), module.double(), quotientBlock);
  const groups = module.readWords(exports.quotientGroupStartOf(quotient), blocks + 1);
  const rowStart = module.readWords(exports.quotientRowStartOf(quotient), groups[blocks] + 1);
  expect(rowStart[0]).toBe(0);
  for (const place of [
    exports.quotientColumnsOf(quotient),
    exports.quotientValuesOf(quotient),
    exports.quotientExitOf(quotient),
    exports.quotientTermsOf(quotient),
    exports.quotientChosenOf(quotient),
  ])
    expect(place).toBeGreaterThan(0);

  const spoil = () => module.noise(exports.quotientBoundsOf(quotient), 16 * blocks);
  for (let round = 0; blocks > 0 && round < 3; round++) {
    const first = module.below(blocks);
    const last = first + 1 + module.below(blocks - first);
    spoil();
    expect(exports.optimiseSweeps(quotient, first, last, module.word(), 20)).toBeLessThanOrEqual(20);
    exports.maximiseSweep(quotient, first, last, module.coin());
    exports.minimiseSweep(quotient, first, last, module.coin());
    exports.optimiseValues(quotient, first, last, module.coin());
    exports.guessUpper(quotient, first, last, module.double());
    if (module.coin()) spoil();
    exports.verifySweep(quotient, first, last);
    exports.adoptBounds(quotient, first, last, module.doubles(last - first), module.coin());
    exports.forgetUpper(quotient, first, last);
    exports.verifySweep(quotient, first, last);
    const count = groups[last] - groups[first];
    exports.outerGains(quotient, first, last, module.bounds(count), module.doubles(count));
    exports.optimumGap(quotient, first, last, module.double(), module.double());
    exports.inheritedOptimumGap(quotient, first, last, module.double(), module.double());
  }
  exports.chosenRows(quotient, module.words(blocks));
}
